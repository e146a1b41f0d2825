"""Reads tables of a Parquet tree. Argument: polars, pyarrow or pandas.

Standard input: JSON, {"tree": folder, "tables": [{"name", "columns", "integers"}]}.
Standard output: a line of JSON for each table: its columns and its rows, or the error.
"""
import json
import sys

from cells import cell


def by_polars(folder, columns):
    import polars

    return polars.read_parquet(f"{folder}/*.parquet").select(columns).rows()


def by_pyarrow(folder, columns):
    import pyarrow.dataset

    table = pyarrow.dataset.dataset(folder).to_table(columns=columns)
    return zip(*(table.column(name).to_pylist() for name in columns))


def by_pandas(folder, columns):
    import pandas

    frame = pandas.read_parquet(folder)[columns]
    return frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)


def whole(value):
    """pandas keeps a column of integers in which one is missing as floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


readers = {"polars": by_polars, "pyarrow": by_pyarrow, "pandas": by_pandas}
reader = sys.argv[1]
asked = json.load(sys.stdin)
for table in asked["tables"]:
    name, columns = table["name"], table["columns"]
    said = {"name": name, "columns": columns}
    try:
        integers = {columns.index(column) for column in table["integers"]} if reader == "pandas" else ()
        said["rows"] = [
            [cell(whole(value) if at in integers else value) for at, value in enumerate(row)]
            for row in readers[reader](f"{asked['tree']}/{name}", columns)
        ]
    except Exception as error:
        said["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(said))
