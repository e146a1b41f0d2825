"""dlt's REST source as its documentation has it.
Arguments: base URL, coins, database file, table, folder; days of a chart (default 90)."""
import sys

import dlt
from dlt.sources.rest_api import rest_api_source

base_url, coins, file, table, folder = sys.argv[1], int(sys.argv[2]), *sys.argv[3:6]
days = int(sys.argv[6]) if len(sys.argv) > 6 else 90
FROM, TO = 1704067200, 1704067200 + days * 86400


@dlt.resource(name="coins")
def coin_ids():
    yield [{"id": f"coin-{number}"} for number in range(coins)]


def points(chart):
    series = zip(chart["prices"], chart["market_caps"], chart["total_volumes"])
    for (ts, price), (_, market_cap), (_, total_volume) in series:
        yield {
            "coin_id": chart["_coins_id"],
            "ts": ts,
            "price": price,
            "market_cap": market_cap,
            "total_volume": total_volume,
        }


coin_markets = {
    "name": "coin_markets",
    "endpoint": {
        "path": "coins/markets",
        "params": {"vs_currency": "usd", "order": "id_asc", "per_page": 250},
        "paginator": {"type": "page_number", "base_page": 1, "total_path": None},
    },
}
market_chart = {
    "name": "market_chart",
    "endpoint": {
        "path": "coins/{resources.coins.id}/market_chart/range",
        "params": {"vs_currency": "usd", "from": FROM, "to": TO},
        "data_selector": "$",
        "paginator": "single_page",
    },
    "include_from_parent": ["id"],
}
resources = [coin_markets] if table == "coin_markets" else [coin_ids(), market_chart]
source = rest_api_source({"client": {"base_url": f"{base_url}/v2/"}, "resources": resources})
source = source.with_resources(table)
if table == "market_chart":
    source.market_chart.add_yield_map(points)

pipeline = dlt.pipeline(
    "bench",
    pipelines_dir=f"{folder}/pipelines",
    destination=dlt.destinations.duckdb(file),
    dataset_name="market",
)
pipeline.run(source)
print(pipeline.last_trace.last_normalize_info.row_counts[table])
