import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Asks a published file how bitcoin closed month by month, and what the columns of a view mean. */
public class MonthlyPrices {
    private static final String QUESTION = """
        SELECT date_trunc('month', close_of_date)::DATE AS month, count(*) AS days,
               min(price) AS low, avg(price) AS mean, max(price) AS high
        FROM daily_prices
        WHERE coin_id = ? AND vs_currency = ?
        GROUP BY ALL
        ORDER BY month DESC
        LIMIT 4""";

    public static void main(String[] arguments) throws SQLException {
        var options = new Properties();
        options.setProperty("duckdb.read_only", "true");
        try (var lake = DriverManager.getConnection("jdbc:duckdb:" + arguments[0], options)) {
            try (var question = lake.prepareStatement(QUESTION)) {
                question.setString(1, "bitcoin");
                question.setString(2, "usd");
                try (var rows = question.executeQuery()) {
                    while (rows.next()) {
                        System.out.printf("%s %3d %12.2f %12.2f %12.2f%n", rows.getDate("month"),
                            rows.getLong("days"), rows.getDouble("low"), rows.getDouble("mean"),
                            rows.getDouble("high"));
                    }
                }
            }
            try (var columns = lake.getMetaData().getColumns(null, "main", "daily_prices", "%_date")) {
                while (columns.next()) {
                    System.out.printf("%s (%s): %s%n", columns.getString("COLUMN_NAME"),
                        columns.getString("TYPE_NAME"), columns.getString("REMARKS"));
                }
            }
        }
    }
}
