# Reads Delta tables again and again until standard input ends: both by the versions that one manifest names
# (deltalake), and the newest of the first by its path alone (polars). Says when it has looked, and at last what it saw.
# With the word `spark` after the place Spark does both; with `vacuum` after that it empties the tables of old files.
import json, os, select, sys

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


if "spark" in sys.argv:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from delta import configure_spark_with_delta_pip
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False)
    # By default a log of some lines is read in 50 tasks, joined in 200, a folder of some files listed in 10,000, and code
    # compiled for hours to come.
    builder = builder.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
    builder = builder.config("spark.sql.sources.parallelPartitionDiscovery.parallelism", 1)
    builder = builder.config("spark.sql.codegen.wholeStage", False).config("spark.ui.showConsoleProgress", False)
    builder = builder.config("spark.databricks.delta.snapshotPartitions", 1).config("spark.sql.shuffle.partitions", 1)
    builder = builder.config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    builder = builder.config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    # The vectorized reader of 4.1 has no BYTE_STREAM_SPLIT (docs/recipes/spark.md).
    builder = builder.config("spark.sql.parquet.enableVectorizedReader", False)
    spark = configure_spark_with_delta_pip(builder).getOrCreate()

    def table(name, columns, **options):
        return spark.read.format("delta").options(**options).load(f"{place}/{name}").select(columns).toArrow()

    def at_version(name, version, columns):
        return table(name, columns, versionAsOf=version)

    newest = table
    if "vacuum" in sys.argv:
        for name in versions():
            spark.sql(f"VACUUM delta.`{place}/{name}`")
        sys.exit()
else:
    import deltalake
    import polars as pl

    def at_version(name, version, columns):
        delta = deltalake.DeltaTable(f"{place}/{name}", version=version, storage_options=options)
        return delta.to_pyarrow_table(columns=columns)

    def newest(name, columns):
        return pl.scan_delta(f"{place}/{name}", storage_options=options).select(columns).collect().to_arrow()


def looks():
    at = versions()
    columns = ["ts", "price", "load_id"]
    chart = at_version("market_chart", at["market_chart"], columns)
    yield look(chart, at_version("coins", at["coins"], ["load_id"]))
    yield look(newest("market_chart", columns), None)


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
