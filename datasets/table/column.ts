/**
 * Column types, and their types in Arrow and DuckDB:
 * string = dictionary Utf8 / VARCHAR, double = Float64 / DOUBLE, integer = Int64 / BIGINT,
 * boolean = Bool / BOOLEAN, timestamp = Timestamp(us, UTC) / TIMESTAMPTZ, date = Date32 / DATE,
 * json = Utf8 / JSON text in VARCHAR.
 */
export type ColumnType = 'string' | 'double' | 'integer' | 'boolean' | 'timestamp' | 'date' | 'json'

export interface Column {
  name: string
  type: ColumnType
  /** The unit of the number: `vs_currency`, `percent`, `BTC`, `UTC`; null = none. */
  unit: string | null
  description: string
  /** Default true; key columns are never null. */
  nullable?: boolean
  /** The value in rows of an older coinlake that did not have the column. */
  defaultsTo?: false
}

/** A column that may be NULL. Without a unit, times and days are UTC, and all else has none. */
export function column(
  name: string,
  type: ColumnType,
  description: string,
  unit: string | null = type === 'timestamp' || type === 'date' ? 'UTC' : null,
): Column {
  return { name, type, unit, description }
}

/** A column that is never NULL. */
export function required(...facts: Parameters<typeof column>): Column {
  return { ...column(...facts), nullable: false }
}
