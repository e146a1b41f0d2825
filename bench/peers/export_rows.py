"""Writes what a query gives as Parquet. Arguments: database file, query, Parquet file."""
import sys

import duckdb

file, query, parquet = sys.argv[1:]
with duckdb.connect(file, read_only=True) as db:
    db.execute(f"COPY ({query}) TO '{parquet}' (FORMAT parquet)")
