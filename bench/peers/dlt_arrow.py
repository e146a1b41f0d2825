"""dlt with all that makes it fast: parallel transformers that yield Arrow, loaded as Parquet files.
Arguments: base URL, coins, database file, table, folder."""
import sys

import dlt
import orjson
import pyarrow as pa
from dlt.sources.helpers import requests

base_url, coins, file, table, folder = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
FROM, TO = 1704067200, 1704067200 + 90 * 86400
TIME = pa.timestamp("ms", "UTC")


@dlt.resource
def coin_markets():
    page, count = 1, 250
    while count == 250:
        answer = requests.get(
            f"{base_url}/v2/coins/markets",
            params={"vs_currency": "usd", "order": "id_asc", "per_page": 250, "page": page},
        )
        entries = orjson.loads(answer.content)
        page, count = page + 1, len(entries)
        if count > 0:
            rows = pa.Table.from_pylist(entries)
            for column in ["ath_date", "atl_date", "last_updated"]:
                place = rows.schema.get_field_index(column)
                rows = rows.set_column(place, column, rows[column].cast(TIME))
            yield rows


@dlt.resource
def coin_ids():
    yield from range(coins)


@dlt.transformer(data_from=coin_ids, parallelized=True)
def market_chart(number):
    answer = requests.get(
        f"{base_url}/v2/coins/coin-{number}/market_chart/range",
        params={"vs_currency": "usd", "from": FROM, "to": TO},
    )
    body = orjson.loads(answer.content)
    times, prices = zip(*body["prices"])
    yield pa.table(
        {
            "coin_id": pa.repeat(f"coin-{number}", len(times)),
            "ts": pa.array(times, pa.int64()).cast(TIME),
            "price": pa.array(prices, pa.float64()),
            "market_cap": pa.array([value for _, value in body["market_caps"]], pa.float64()),
            "total_volume": pa.array([value for _, value in body["total_volumes"]], pa.float64()),
        }
    )


pipeline = dlt.pipeline(
    "bench",
    pipelines_dir=f"{folder}/pipelines",
    destination=dlt.destinations.duckdb(file),
    dataset_name="market",
)
resource = coin_markets if table == "coin_markets" else market_chart
pipeline.run(resource, loader_file_format="parquet")
print(pipeline.last_trace.last_normalize_info.row_counts[table])
