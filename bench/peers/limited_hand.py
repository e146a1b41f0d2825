"""The script one writes by hand under a rate limit: a refusal is waited out. Arguments: base URL, coins, database file."""
import sys
import time

import duckdb
import requests

base_url, coins, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
FROM, TO = 1704067200, 1704240000

session = requests.Session()
rows = []
for number in range(coins):
    coin = f"coin-{number}"
    while True:
        answer = session.get(
            f"{base_url}/v2/coins/{coin}/market_chart/range",
            params={"vs_currency": "usd", "from": FROM, "to": TO},
            timeout=30,
        )
        if answer.status_code != 429:
            break
        time.sleep(float(answer.headers.get("Retry-After", 60)))
    answer.raise_for_status()
    rows += [(coin, ts, price) for ts, price in answer.json()["prices"]]

with duckdb.connect(file) as db:
    db.execute("CREATE TABLE market_chart (coin_id TEXT, ts BIGINT, price DOUBLE)")
    db.executemany("INSERT INTO market_chart VALUES (?, ?, ?)", rows)
