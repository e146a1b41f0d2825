import { DuckDBTimestampTZValue, DuckDBTypeId } from '@duckdb/node-api'
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { isTimestamp, nestedJson } from './cell-json.ts'
import type { InstantText } from './instant-text.ts'

/** The text of one value that is not NULL. */
export type CellText = (value: DuckDBValue) => string

/**
 * How values of a column are written as plain text, in CSV and on a terminal: numbers in full
 * precision, instants as ISO 8601, lists and structs as JSON.
 */
export function cellTextOf(type: DuckDBType, instant: InstantText): CellText {
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ) {
    return (value) =>
      value instanceof DuckDBTimestampTZValue ? instant(value.micros) : String(value)
  }
  if (isTimestamp(type.typeId)) return (value) => String(value).replace(' ', 'T')
  return nestedJson(type, instant) ?? String
}
