import { SECOND_MS } from '../../config/values/duration.ts'
import { canonicalAddress } from '../../config/values/token-ref.ts'
import { isEpochMs } from '../chart/chart-points.ts'
import type { Scalar } from '../arrow/column-data.ts'
import { jsonText } from './json-text.ts'
import { isDecimal } from './number-text.ts'
import type { NumberText, RecordField } from './record-field.ts'

/** A time with its zone. Date.parse would read a time without zone in this machine's zone. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

/** A day from the year 1 on, in the form that DuckDB writes. */
const ISO_DATE = /^(?!0000)\d{4}-\d\d-\d\d$/

export type ReadValue = { value: Scalar } | { rule: string }

/**
 * Reads one JSON value that is not null. Old answers have some numbers and flags as text ("17236100.0", "true").
 * `isExact` tells that the column gives them back in another form.
 */
export function readValue(field: RecordField, source: unknown): ReadValue {
  if (field.number !== undefined) return readNumberText(field.number.text, source)
  switch (field.column.type) {
    case 'double':
      return readNumber(numberIn(field, source))
    case 'integer':
      return readInteger(numberIn(field, source))
    case 'boolean':
      return readBoolean(source)
    case 'timestamp':
      return field.timeText === 'epoch_s' ? readEpochSeconds(source) : readTime(source)
    case 'date':
      return readDate(source)
    case 'json':
      return { value: jsonText(source) }
    default: {
      if (typeof source !== 'string') return { rule: 'not_a_text' }
      const text = source.toWellFormed()
      return { value: field.isAddress === true ? canonicalAddress(text) : text }
    }
  }
}

/** Makes the JSON value from a column's value other than null. A time may get another form than `readValue` has read. */
export function writeValue(field: RecordField, value: Scalar): unknown {
  switch (field.column.type) {
    case 'timestamp':
      return writeTime(field, value as number)
    case 'date':
      // readValue gives epoch ms. A row from the store has the text.
      return typeof value === 'number' ? dateText(value) : value
    case 'json':
      return JSON.parse(value as string) as unknown
    case 'integer':
      // An integer column has no -0.
      return (value as number) + 0
    default:
      return value
  }
}

/** Whether a JSON value is text that UTF-8 can hold. JSON also allows lone surrogates, which UTF-8 cannot hold. */
export function isCleanText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed()
}

/** Whether the column gives back exactly this value. A json column always does. */
export function isExact(field: RecordField, source: unknown, value: Scalar): boolean {
  return field.column.type === 'json' || Object.is(writeValue(field, value), source)
}

/** The number of a decimal text; of anything else the value itself. */
function numberIn({ isNumberOnly }: RecordField, source: unknown): unknown {
  const mayBeText = isNumberOnly !== true
  return mayBeText && typeof source === 'string' && isDecimal(source) ? Number(source) : source
}

function readNumber(value: unknown): ReadValue {
  if (typeof value !== 'number') return { rule: 'not_a_number' }
  return Number.isFinite(value) ? { value } : { rule: 'not_finite' }
}

function readInteger(value: unknown): ReadValue {
  return Number.isSafeInteger(value) ? { value: value as number } : { rule: 'not_an_integer' }
}

function readBoolean(source: unknown): ReadValue {
  if (source === true || source === 'true') return { value: true }
  return source === false || source === 'false' ? { value: false } : { rule: 'not_a_boolean' }
}

function readDate(source: unknown): ReadValue {
  const ms = typeof source === 'string' && ISO_DATE.test(source) ? Date.parse(source) : NaN
  // Date.parse reads the 30th of February as the 2nd of March.
  return dateText(ms) === source ? { value: ms } : { rule: 'not_a_date' }
}

function dateText(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length) : null
}

function readTime(source: unknown): ReadValue {
  const ms = typeof source === 'string' && ISO_TIME.test(source) ? Date.parse(source) : NaN
  return isEpochMs(ms) ? { value: ms } : { rule: 'not_a_timestamp' }
}

/** Epoch seconds are whole in all recordings. The column has milliseconds; `_extra` keeps more digits. */
function readEpochSeconds(source: unknown): ReadValue {
  const ms = typeof source === 'number' ? Math.round(source * SECOND_MS) : NaN
  return isEpochMs(ms) ? { value: ms } : { rule: 'not_a_timestamp' }
}

/** The text of a number. Some answers have a number instead. */
function readNumberText(how: NumberText, source: unknown): ReadValue {
  if (typeof source === 'number') {
    return Number.isFinite(source) ? { value: jsonText(source) } : { rule: 'not_finite' }
  }
  if (typeof source !== 'string') return { rule: 'not_a_text' }
  if (how === 'decimal' && !isDecimal(source)) return { rule: 'not_a_decimal' }
  return { value: source.toWellFormed() }
}

function writeTime(field: RecordField, ms: number): string | number {
  // A timestamp column has no -0 either.
  if (field.timeText === 'epoch_s') return (ms + 0) / SECOND_MS
  const iso = new Date(ms).toISOString()
  return field.timeText === 'seconds' ? `${iso.slice(0, -'.123Z'.length)}+00:00` : iso
}
