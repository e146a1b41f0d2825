# Reads what a bucket publishes again and again with pyarrow, by its manifest, until standard input ends;
# says when it has looked, and at last what it saw. The same looks as test/sinks/publish/loop_reader.py.
import json, os, select, sys

import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyarrow.fs import S3FileSystem

tree = sys.argv[1].removeprefix("s3://")
scheme, endpoint = os.environ["AWS_ENDPOINT_URL_S3"].split("://")
s3 = S3FileSystem(region=os.environ["AWS_REGION"], scheme=scheme, endpoint_override=endpoint)
report = {"reads": 0, "errors": [], "partial": [], "sets": []}


def look():
    # pyarrow asks for the size first: replaced in between, the manifest is cut off and no JSON.
    for attempt in range(10):
        with s3.open_input_stream(f"{tree}/manifest.json") as stream:
            try:
                files = json.loads(stream.read())["files"]
                break
            except json.JSONDecodeError:
                if attempt == 9:
                    raise

    def table(name, columns):
        paths = [f"{tree}/{file['path']}" for file in files if file["table"] == name]
        return ds.dataset(paths, filesystem=s3).to_table(columns=columns)

    chart = table("market_chart", ["ts", "price", "load_id"])
    coins = table("coins", ["load_id"])
    march = pc.equal(pc.strftime(chart["ts"], format="%Y-%m"), "2024-03")
    moving = pc.sum(march).as_py()
    return {
        "sets": coins.num_rows,
        "set_rows": chart.num_rows - moving,
        "moving_rows": moving,
        "price_sum": pc.sum(chart["price"]).as_py(),
        "newest": pc.max(chart["load_id"]).as_py(),
        "newest_coin": pc.max(coins["load_id"]).as_py(),
    }


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
        if seen["sets"] not in report["sets"]:
            report["sets"].append(seen["sets"])
    except Exception as error:
        report["errors"].append(f"{type(error).__name__}: {error}")
    report["reads"] += 1
    print("looked", flush=True)
print(json.dumps(report))
