# Reads a publication again and again by Python's DuckDB (the file: `link`, or the tree), pyarrow or polars, until standard
# input ends; then says what it saw. The same looks as loop-reader-child.ts; `<tool> glob` goes through the tree's link.
import json, os, select, sys, time

import duckdb
import polars as pl
import pyarrow.compute as pc
import pyarrow.dataset as ds

kind, root, sql = sys.argv[1:4]
tool, is_glob = kind.removesuffix(" glob"), kind.endswith(" glob")
report = {"kind": f"python {kind}", "reads": 0, "errors": [], "partial": [], "firstSeenMs": {}}
NAMES = ["sets", "newest_coin", "set_rows", "moving_rows", "price_sum", "newest"]


def look_duckdb(connection, text):
    return dict(zip(NAMES, connection.execute(text).fetchone()))


def look_arrow(folder):
    if tool == "polars":
        chart = pl.read_parquet(f"{folder}/market_chart/*.parquet", columns=["ts", "price", "load_id"]).to_arrow()
        coins = pl.read_parquet(f"{folder}/coins/*.parquet", columns=["load_id"]).to_arrow()
    else:
        chart = ds.dataset(f"{folder}/market_chart").to_table(columns=["ts", "price", "load_id"])
        coins = ds.dataset(f"{folder}/coins").to_table(columns=["load_id"])
    march = pc.equal(pc.strftime(chart["ts"], format="%Y-%m"), "2024-03")
    moving = pc.sum(march).as_py()
    return {
        "sets": coins.num_rows,
        "newest_coin": pc.max(coins["load_id"]).as_py(),
        "set_rows": chart.num_rows - moving,
        "moving_rows": moving,
        "price_sum": pc.sum(chart["price"]).as_py(),
        "newest": pc.max(chart["load_id"]).as_py(),
    }


def look():
    if kind == "link":
        with duckdb.connect(f"{root}/coinlake.duckdb", read_only=True) as connection:
            return look_duckdb(connection, sql)
    folder = f"{root}/parquet" if is_glob else os.path.realpath(f"{root}/parquet")
    if tool == "duckdb":
        with duckdb.connect() as connection:
            return look_duckdb(connection, sql.replace("<tree>", folder))
    return look_arrow(folder)


last = False
while not last:
    last = bool(select.select([sys.stdin], [], [], 0)[0])
    try:
        seen = look()
        whole = (
            seen["set_rows"] == 6 * seen["sets"]
            and seen["moving_rows"] == 3
            and seen["price_sum"] == 0
            and seen["newest"] == seen["newest_coin"]
        )
        if not whole:
            report["partial"].append(seen)
        report["firstSeenMs"].setdefault(str(seen["sets"]), int(time.time() * 1000))
    except Exception as error:
        report["errors"].append(f"{type(error).__name__}: {error}")
    report["reads"] += 1
    if report["reads"] == 1:
        print("ready", flush=True)
print(json.dumps(report))
