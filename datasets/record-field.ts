import type { Column } from './dataset.ts'

/** How the source writes a time: `millis` = 2024-04-07T16:49:31.736Z, `seconds` = 2024-04-08T04:02:01+00:00. */
export type TimeText = 'millis' | 'seconds'

/** Where one column of a table stands in a JSON object of the source. */
export interface RecordField {
  /** The key, or the key of an inner object and the key in that. */
  path: readonly [string] | readonly [string, string]
  column: Column
  /** Of a timestamp. */
  timeText?: TimeText
  /**
   * What a key column that may be missing or null at the source holds instead. Without it a row that
   * lacks a not-nullable column is rejected.
   */
  whenMissing?: string
}

type ColumnFacts = Omit<Column, 'name'> & { name?: string }

/**
 * One field of a source object. The column is named after the path (`market.name` -> `market_name`)
 * unless it is given a name.
 */
export function field(
  path: string,
  facts: ColumnFacts,
  more: Omit<RecordField, 'path' | 'column'> = {},
): RecordField {
  const keys = path.split('.') as [string] | [string, string]
  return { path: keys, column: { name: keys.join('_'), ...facts }, ...more }
}

/** A text field that may be null. */
export function text(path: string, description: string): RecordField {
  return field(path, { type: 'string', unit: null, description })
}

/** A number field that may be null. */
export function amount(path: string, unit: string, description: string): RecordField {
  return field(path, { type: 'double', unit, description })
}

/** A whole-number field that may be null. */
export function count(path: string, unit: string | null, description: string): RecordField {
  return field(path, { type: 'integer', unit, description })
}

/** A true/false field that may be null. */
export function flag(path: string, description: string): RecordField {
  return field(path, { type: 'boolean', unit: null, description })
}

/** A time field that may be null, under a column name that ends in `_at`. */
export function time(
  path: string,
  name: string,
  timeText: TimeText,
  description: string,
): RecordField {
  return field(path, { name, type: 'timestamp', unit: 'UTC', description }, { timeText })
}
