/**
 * Column types, in Arrow and in DuckDB:
 * - string: dictionary Utf8, VARCHAR
 * - double: Float64, DOUBLE
 * - integer: Int64, BIGINT
 * - boolean: Bool, BOOLEAN
 * - timestamp: Timestamp(us, UTC), TIMESTAMPTZ
 * - date: Date32, DATE
 * - json: Utf8, JSON text in VARCHAR
 */
export type ColumnType = 'string' | 'double' | 'integer' | 'boolean' | 'timestamp' | 'date' | 'json'

export interface Column {
  name: string
  type: ColumnType
  /** The unit of the number: `vs_currency`, `percent`, `BTC`, `UTC`; null: none. */
  unit: string | null
  description: string
  /** Default true. Key columns are never null. */
  nullable?: boolean
  /** The value in rows of an older coinlake without the column. */
  defaultsTo?: false
}

/** A column that may be NULL. The default unit of times and days is UTC. */
export function column(
  name: string,
  type: ColumnType,
  description: string,
  unit: string | null = type === 'timestamp' || type === 'date' ? 'UTC' : null,
): Column {
  return { name, type, unit, description }
}

export function required(...facts: Parameters<typeof column>): Column {
  return { ...column(...facts), nullable: false }
}
