"""Makes coinlake's published file a database of Superset, daily_prices a dataset of it, and a chart of that.

Prints what Superset says of the columns, of the chart's months, and of a query in SQL Lab. Run again, it takes what is there: python open_lake.py URL USER PASSWORD warehouse/coinlake.duckdb
"""

import json
import os
import sys
from datetime import UTC, datetime

import requests

url, user, password, lake = sys.argv[1:]
api = requests.Session()


def call(method, path, **body):
    answer = api.request(method, f"{url}/api/v1/{path}", **body)
    if not answer.ok:
        sys.exit(f"{method} {answer.url}: {answer.status_code} {answer.text[:500]}")
    return answer.json()


def find_or_make(kind, name_column, facts):
    query = {"filters": [{"col": name_column, "opr": "eq", "value": facts[name_column]}]}
    found = call("GET", f"{kind}/", params={"q": json.dumps(query)})["ids"]
    return found[0] if found else call("POST", f"{kind}/", json=facts)["id"]


token = call("POST", "security/login", json={"username": user, "password": password, "provider": "db"})
api.headers["Authorization"] = f"Bearer {token['access_token']}"
api.headers["X-CSRFToken"] = call("GET", "security/csrf_token/")["result"]

database = find_or_make("database", "database_name", {
    "database_name": "coinlake",
    # abspath and not realpath: the link is what moves to the next publication.
    "sqlalchemy_uri": f"duckdb:///{os.path.abspath(lake)}",
    # Without the second, whoever may use SQL Lab reads and writes files of the server: read_csv, COPY TO.
    "extra": json.dumps({
        "engine_params": {"connect_args": {"read_only": True, "config": {"enable_external_access": "false"}}},
    }),
})
dataset = find_or_make("dataset", "table_name", {"database": database, "schema": "main", "table_name": "daily_prices"})
for column in call("GET", f"dataset/{dataset}")["result"]["columns"][:3]:
    print(column["column_name"], column["type"], column["description"], sep=" | ")


def metric(label, aggregate):
    return {"label": label, "expressionType": "SQL", "sqlExpression": f"round({aggregate}, 2)"}


metrics = [
    metric("days", "count(*)"),
    metric("low", "min(price)"),
    metric("mean", "avg(price)"),
    metric("high", "max(price)"),
]
month = {"columnType": "BASE_AXIS", "expressionType": "SQL", "label": "month", "sqlExpression": "close_of_date", "isColumnReference": True, "timeGrain": "P1M"}
query = {
    "columns": [month],
    "metrics": metrics,
    "filters": [{"col": "coin_id", "op": "==", "val": "bitcoin"}, {"col": "vs_currency", "op": "==", "val": "usd"}],
    "row_limit": 1000,
}
source = {"id": dataset, "type": "table"}
answer = call("POST", "chart/data", json={"datasource": source, "queries": [query], "result_format": "json"})
months = sorted(answer["result"][0]["data"], key=lambda row: row["month"], reverse=True)
for row in months[:4]:
    # Superset's JSON has times as epoch milliseconds.
    month = datetime.fromtimestamp(row["month"] / 1000, UTC).date()
    print(month, *(row[name] for name in ("days", "low", "mean", "high")))

sql = """
    SELECT name, market_cap_rank, round(current_price, 2) AS price, observed_at
    FROM latest_markets WHERE vs_currency = 'usd' ORDER BY market_cap_rank
"""
for row in call("POST", "sqllab/execute/", json={"database_id": database, "sql": sql, "queryLimit": 3})["data"]:
    print(*row.values(), sep=" | ")

chart = find_or_make("chart", "slice_name", {
    "slice_name": "Bitcoin by month",
    "viz_type": "echarts_timeseries_line",
    "datasource_id": dataset,
    "datasource_type": "table",
    "params": json.dumps({
        "viz_type": "echarts_timeseries_line",
        "datasource": f"{dataset}__table",
        "x_axis": "close_of_date",
        "time_grain_sqla": "P1M",
        "metrics": metrics[1:],
        "adhoc_filters": [
            # Lets the time range of a dashboard reach this chart.
            {"expressionType": "SIMPLE", "clause": "WHERE", "subject": "close_of_date", "operator": "TEMPORAL_RANGE", "comparator": "No filter"},
            {"expressionType": "SIMPLE", "clause": "WHERE", "subject": "coin_id", "operator": "==", "comparator": "bitcoin"},
            {"expressionType": "SIMPLE", "clause": "WHERE", "subject": "vs_currency", "operator": "==", "comparator": "usd"},
        ],
        "row_limit": 10000,
    }),
})
print(f"look at it: /explore/?slice_id={chart}")
