# Reads Delta tables again and again until standard input ends: both by the versions that one manifest names
# (deltalake), and the newest of the first by its path alone (polars). Says when it has looked, and at last what it saw.
import json, os, select, sys

import deltalake
import polars as pl
import pyarrow.compute as pc
from pyarrow.fs import FileSystem, S3FileSystem

place = sys.argv[1]
options = {}
files, root = FileSystem.from_uri(f"file://{place}") if place.startswith("/") else (None, place.removeprefix("s3://"))
if files is None:
    scheme, endpoint = os.environ["AWS_ENDPOINT_URL_S3"].split("://")
    files = S3FileSystem(region=os.environ["AWS_REGION"], scheme=scheme, endpoint_override=endpoint)
    options = {"AWS_ENDPOINT_URL": os.environ["AWS_ENDPOINT_URL_S3"], "AWS_ALLOW_HTTP": "true"}
report = {"reads": 0, "errors": [], "partial": [], "sets": []}


def versions():
    # pyarrow asks for the size first: replaced in between, the manifest is cut off and no JSON.
    for attempt in range(10):
        with files.open_input_stream(f"{root}/manifest.json") as stream:
            try:
                tables = json.loads(stream.read())["tables"]
                return {name: table["version"] for name, table in tables.items()}
            except json.JSONDecodeError:
                if attempt == 9:
                    raise


def look(chart, coins):
    moving = pc.sum(pc.equal(pc.strftime(chart["ts"], format="%Y-%m"), "2024-03")).as_py()
    sets = coins.num_rows if coins is not None else (chart.num_rows - moving) // 6
    newest = pc.max(chart["load_id"]).as_py()
    return {
        "sets": sets,
        "set_rows": chart.num_rows - moving,
        "moving_rows": moving,
        "price_sum": pc.sum(chart["price"]).as_py(),
        "newest": newest,
        "newest_coin": pc.max(coins["load_id"]).as_py() if coins is not None else newest,
    }


def looks():
    at = versions()

    def table(name, columns):
        delta = deltalake.DeltaTable(f"{place}/{name}", version=at[name], storage_options=options)
        return delta.to_pyarrow_table(columns=columns)

    columns = ["ts", "price", "load_id"]
    yield look(table("market_chart", columns), table("coins", ["load_id"]))
    newest = pl.scan_delta(f"{place}/market_chart", storage_options=options)
    yield look(newest.select(columns).collect().to_arrow(), None)


last = False
while not last:
    last = bool(select.select([sys.stdin], [], [], 0)[0])
    try:
        for seen in looks():
            whole = (
                seen["set_rows"] == 6 * seen["sets"]
                and seen["moving_rows"] == 3
                and seen["price_sum"] == 0
                and seen["newest"] == seen["newest_coin"]
            )
            if not whole:
                report["partial"].append(seen)
            if seen["sets"] not in report["sets"]:
                report["sets"].append(seen["sets"])
    except Exception as error:
        report["errors"].append(f"{type(error).__name__}: {error}")
    report["reads"] += 1
    print("looked", flush=True)
print(json.dumps(report))
