import { BIGINT, BOOLEAN, DATE, DOUBLE, TIMESTAMPTZ, VARCHAR } from '@duckdb/node-api'
import type { DuckDBType } from '@duckdb/node-api'
import type { ColumnType } from '../datasets/dataset.ts'

const TYPES: Record<ColumnType, DuckDBType> = {
  string: VARCHAR,
  json: VARCHAR,
  double: DOUBLE,
  integer: BIGINT,
  boolean: BOOLEAN,
  timestamp: TIMESTAMPTZ,
  date: DATE,
}

/** What a column type is in DuckDB. */
export function vectorType(type: ColumnType): DuckDBType {
  return TYPES[type]
}
