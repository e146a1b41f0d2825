#!/bin/sh
# DuckDB's command line for sling: its extensions are built in, and there may be no way to the place where
# sling wants them installed from.
sed -u -E 's/(INSTALL|LOAD) [a-z]+;//g' | "$DUCKDB_BINARY" "$@"
