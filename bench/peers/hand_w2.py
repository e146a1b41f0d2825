"""The script one writes by hand: requests, pandas, DuckDB. A refusal is waited out.
Arguments: base URL, coins, database file; then table and folder, which it ignores, and days of a chart (default 90)."""
import sys
import time

import duckdb
import pandas as pd
import requests

base_url, coins, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
days = int(sys.argv[6]) if len(sys.argv) > 6 else 90
FROM, TO = 1704067200, 1704067200 + days * 86400

session = requests.Session()
frames = []
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
    body = answer.json()
    frame = pd.DataFrame(body["prices"], columns=["ts", "price"])
    frame["market_cap"] = [value for _, value in body["market_caps"]]
    frame["total_volume"] = [value for _, value in body["total_volumes"]]
    frame.insert(0, "coin_id", coin)
    frames.append(frame)

chart = pd.concat(frames, ignore_index=True)
chart["ts"] = pd.to_datetime(chart["ts"], unit="ms", utc=True)
with duckdb.connect(file) as db:
    db.execute("CREATE OR REPLACE TABLE market_chart AS SELECT * FROM chart")
    print(db.execute("SELECT count(*) FROM market_chart").fetchone()[0])
