"""Asks how bitcoin closed month by month: spark-submit monthly_prices.py warehouse/parquet, or .../delta delta"""

import sys

from pyspark.sql import SparkSession

QUESTION = """
WITH daily_prices AS (
    SELECT bucket_date - INTERVAL 1 DAY AS close_of_date, min_by(price, ts) AS price
    FROM market_chart
    WHERE coin_id = 'bitcoin' AND vs_currency = 'usd' AND granularity = '1d' AND NOT is_moving
    GROUP BY bucket_date
)
SELECT CAST(date_trunc('month', close_of_date) AS DATE) AS month, count(*) AS days,
       round(min(price), 2) AS low, round(avg(price), 2) AS mean, round(max(price), 2) AS high
FROM daily_prices
GROUP BY 1
ORDER BY month DESC
LIMIT 4
"""

# A TIMESTAMP is shown and cut in the session's zone; a DATE is a UTC day in every zone.
spark = SparkSession.builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
kind = sys.argv[2] if len(sys.argv) > 2 else "parquet"
spark.read.format(kind).load(f"{sys.argv[1]}/market_chart").createOrReplaceTempView("market_chart")
spark.sql("SELECT count(*) AS points, min(ts) AS first, max(ts) AS last FROM market_chart").show()
spark.sql(QUESTION).show()
spark.stop()
