import type { Column } from '../table/column.ts'

/**
 * How the source writes a time: `millis` = 2024-04-07T16:49:31.736Z, `seconds` =
 * 2024-04-08T04:02:01+00:00, `epoch_s` = the number 1621346317.
 */
export type TimeText = 'millis' | 'seconds' | 'epoch_s'

/**
 * How a text holds a number: `decimal` = 0.0000061681554962 and nothing else (another text breaks a
 * rule); `display` = made for the eye, such as $521,967,819, 0.24 BTC or a price whose zeros behind the
 * point are counted in a `<sub>` (another text has no number).
 */
export type NumberText = 'decimal' | 'display'

/** The number that a text holds. */
export interface NumberColumn {
  text: NumberText
  column: Column
  /** The source also sends a number at times, which fills this column alone: its text is then NULL. */
  mayBeNumber: boolean
}

/** Where one column of a table stands in a JSON object of the source. */
export interface RecordField {
  /** The key, or the key of an inner object and the key in that. */
  path: readonly [string] | readonly [string, string]
  column: Column
  /** Of a timestamp. */
  timeText?: TimeText
  /**
   * The value of a key column that is missing or null at the source. Without it a row that lacks a not-nullable
   * column is rejected.
   */
  whenMissing?: string
  /** Of a text: a contract address, which the column holds as everywhere (config/values/token-ref.ts). */
  isAddress?: true
  /** Of a double: the source also sends it as decimal text at times. The text then stands in `_extra`. */
  mayBeText?: true
  /** Of a text that holds a number: how, and the column beside it with the nearest number. */
  number?: NumberColumn
  /**
   * No column of its own: the members of this object (`map`) or the items of this list become rows of
   * a child table. The way back is given them as JSON text under the name of the column.
   */
  child?: 'map' | 'list'
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
export function amount(
  path: string,
  unit: string,
  description: string,
  name?: string,
): RecordField {
  const facts: ColumnFacts = { type: 'double', unit, description }
  return field(path, name === undefined ? facts : { ...facts, name })
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

/** Appended to the description of a number's exact text. */
const EXACT_TEXT = 'The text exactly as the source sent it, with all its digits.'
const NUMBER_SENT = 'NULL where it sent a number.'

/**
 * A number that the source sends as text: `<name>` is the nearest DOUBLE for SQL, `<name>_text` the
 * exact text. `facts` may say how the text is written (default `decimal`), another column name, and that
 * some answers have a number there.
 */
export function numberText(
  path: string,
  unit: string,
  description: string,
  facts: {
    name?: string
    text?: NumberText
    type?: 'double' | 'integer'
    mayBeNumber?: boolean
  } = {},
): RecordField {
  const { name = path.replaceAll('.', '_'), text: how = 'decimal', type = 'double' } = facts
  const { mayBeNumber = false } = facts
  const aboutText = [description, EXACT_TEXT, ...(mayBeNumber ? [NUMBER_SENT] : [])].join(' ')
  return field(
    path,
    { name: `${name}_text`, type: 'string', unit, description: aboutText },
    { number: { text: how, column: { name, type, unit, description }, mayBeNumber } },
  )
}

/** A part of the object whose members or items become rows of a child table. */
export function child(path: string, kind: 'map' | 'list', description: string): RecordField {
  return field(path, { type: 'json', unit: null, description }, { child: kind })
}

/** The columns that fields fill, in their order: a number stands before its exact text. */
export function columnsOf(fields: readonly RecordField[]): Column[] {
  return fields.flatMap((one) => {
    if (one.child !== undefined) return []
    return one.number === undefined ? [one.column] : [one.number.column, one.column]
  })
}
