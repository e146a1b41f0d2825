"""dlt's REST source with its own retries, as its documentation has it. Arguments: base URL, coins, folder."""
import sys

import dlt
from dlt.sources.rest_api import rest_api_source

base_url, coins, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
FROM, TO = 1704067200, 1704240000


@dlt.resource(name="coins")
def coin_ids():
    yield [{"id": f"coin-{number}"} for number in range(coins)]


source = rest_api_source(
    {
        "client": {"base_url": f"{base_url}/v2/"},
        "resources": [
            coin_ids(),
            {
                "name": "market_chart",
                "endpoint": {
                    "path": "coins/{resources.coins.id}/market_chart/range",
                    "params": {"vs_currency": "usd", "from": FROM, "to": TO},
                    "data_selector": "$",
                    "paginator": "single_page",
                },
                "include_from_parent": ["id"],
            },
        ],
    }
).with_resources("market_chart")


def points(chart):
    for ts, price in chart["prices"]:
        yield {"coin_id": chart["_coins_id"], "ts": ts, "price": price}


source.market_chart.add_yield_map(points)
pipeline = dlt.pipeline(
    "limited",
    pipelines_dir=f"{folder}/pipelines",
    destination=dlt.destinations.duckdb(f"{folder}/dlt.duckdb"),
    dataset_name="market",
)
print(pipeline.run(source))
