"""Reads relations with the DuckDB of this Python.

Standard input: JSON, a list of {"file": path or ":memory:", "statements": [...], "relations": [{"name", "sql"}]}.
Standard output: a line of JSON for each relation: its columns with types and its rows, or the error.
"""
import json
import sys

import duckdb

from cells import cell

for session in json.load(sys.stdin):
    lake = duckdb.connect(session["file"], read_only=session["file"] != ":memory:")
    for statement in session["statements"]:
        lake.execute(statement)
    for relation in session["relations"]:
        said = {"name": relation["name"]}
        try:
            described = lake.execute(f"DESCRIBE {relation['sql']}").fetchall()
            rows = lake.execute(relation["sql"]).fetchall()
            said["columns"] = [f"{name} {kind}" for name, kind, *_ in described]
            said["rows"] = [[cell(value) for value in row] for row in rows]
        except Exception as error:
            said["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(said))
    lake.close()
