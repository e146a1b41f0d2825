"""The script one writes by hand: requests, pandas, DuckDB. Arguments: base URL, pages, database file."""
import sys

import duckdb
import pandas as pd
import requests

base_url, file = sys.argv[1], sys.argv[3]

session = requests.Session()
coins, page = [], 1
while True:
    answer = session.get(
        f"{base_url}/v2/coins/markets",
        params={"vs_currency": "usd", "order": "id_asc", "per_page": 250, "page": page},
        timeout=30,
    )
    answer.raise_for_status()
    entries = answer.json()
    coins += entries
    if len(entries) < 250:
        break
    page += 1

markets = pd.DataFrame(coins)
for column in ["ath_date", "atl_date", "last_updated"]:
    markets[column] = pd.to_datetime(markets[column], utc=True)
with duckdb.connect(file) as db:
    db.execute("CREATE OR REPLACE TABLE coin_markets AS SELECT * FROM markets")
    print(db.execute("SELECT count(*) FROM coin_markets").fetchone()[0])
