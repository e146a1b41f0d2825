import { type Column, required } from '../table/column.ts'

/**
 * The source's form of a time.
 * - `millis`: 2024-04-07T16:49:31.736Z
 * - `seconds`: 2024-04-08T04:02:01+00:00
 * - `epoch_s`: the number 1621346317
 */
export type TimeText = 'millis' | 'seconds' | 'epoch_s'

/**
 * The form of a number in a text.
 * - `decimal`: only digits, as 0.0000061681554962. Another text breaks a rule.
 * - `display`: made for readers, as $521,967,819, 0.24 BTC, or with zeros counted in a `<sub>`. Another text has no
 *   number.
 */
export type NumberText = 'decimal' | 'display'

export interface NumberColumn {
  text: NumberText
  column: Column
  /** Some answers have a number instead of the text. This column then has it, and the text is NULL. */
  mayBeNumber: boolean
}

export interface RecordField {
  /** The key of the value, or the key of an inner object and the key in it. */
  path: readonly [string] | readonly [string, string]
  column: Column
  /** Only timestamps have it. */
  timeText?: TimeText
  /** The value of a not-nullable column when the source sends none. Without it the row is rejected. */
  whenMissing?: string
  /** Texts only: a contract address, stored in its canonical form (config/values/token-ref.ts). */
  isAddress?: true
  /** Doubles only: recorded answers have decimal text, so the OpenAPI document allows it. */
  mayBeText?: true
  /** A decimal text breaks a rule, because the table has no `_extra` that could keep it. */
  isNumberOnly?: true
  /** Texts only: the column of the nearest number. */
  number?: NumberColumn
  /**
   * The members of this map or the items of this list become rows of a child table. The field has no column. To write
   * the object, a row has them as JSON text under the column's name.
   */
  child?: 'map' | 'list'
}

type ColumnFacts = Omit<Column, 'name'> & { name?: string | undefined }

/** The path makes the column's name (`market.name` -> `market_name`), unless `facts` does. */
export function field(
  path: string,
  facts: ColumnFacts,
  more: Omit<RecordField, 'path' | 'column'> = {},
): RecordField {
  const keys = path.split('.') as [string] | [string, string]
  const { name = keys.join('_'), ...others } = facts
  return { path: keys, column: { name, ...others }, ...more }
}

/** A text field that may be null. @param name of the column; default: from the path */
export function text(path: string, description: string, name?: string): RecordField {
  return field(path, { name, type: 'string', unit: null, description })
}

/** A text field that no row lacks: without it the row is rejected. */
export function requiredText(path: string, description: string, name = path): RecordField {
  return field(path, required(name, 'string', description))
}

export function amount(
  path: string,
  unit: string,
  description: string,
  name?: string,
): RecordField {
  return field(path, { name, type: 'double', unit, description })
}

/** An amount of a table without `_extra`. */
export function plainAmount(path: string, unit: string, description: string): RecordField {
  return { ...amount(path, unit, description), isNumberOnly: true }
}

export function count(
  path: string,
  unit: string | null,
  description: string,
  name?: string,
): RecordField {
  return field(path, { name, type: 'integer', unit, description })
}

export function json(path: string, description: string, unit: string | null = null): RecordField {
  return field(path, { type: 'json', unit, description })
}

export function flag(path: string, description: string): RecordField {
  return field(path, { type: 'boolean', unit: null, description })
}

/** A time field that may be null. @param name of the column; ends in `_at` */
export function time(
  path: string,
  name: string,
  timeText: TimeText,
  description: string,
): RecordField {
  return field(path, { name, type: 'timestamp', unit: 'UTC', description }, { timeText })
}

const EXACT_TEXT = 'The text exactly as the source sent it, with all its digits.'
const DOUBLE_TEXT = 'The text of the nearest double where the source sent a number.'
const NUMBER_SENT = 'NULL where the source sent a number.'

/** A number that the source sends as text. `<name>` has the nearest number, `<name>_text` the exact text. */
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
  const aboutText = [description, EXACT_TEXT, mayBeNumber ? NUMBER_SENT : DOUBLE_TEXT].join(' ')
  return field(
    path,
    { name: `${name}_text`, type: 'string', unit, description: aboutText },
    { number: { text: how, column: { name, type, unit, description }, mayBeNumber } },
  )
}

export function child(path: string, kind: 'map' | 'list', description: string): RecordField {
  return field(path, { type: 'json', unit: null, description }, { child: kind })
}

/** The columns of the fields. A number comes before its exact text. */
export function columnsOf(fields: readonly RecordField[]): Column[] {
  return fields.flatMap((one) => {
    if (one.child !== undefined) return []
    return one.number === undefined ? [one.column] : [one.number.column, one.column]
  })
}
