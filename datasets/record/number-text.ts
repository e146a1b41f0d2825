import type { RecordField } from './record-field.ts'

/** A decimal number with nothing around it; digits without end. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

/** An optional dollar sign, digits with or without thousands commas, an optional unit behind a blank. */
const DISPLAY = /^(-?)\$?(\d[\d,]*(\.\d+)?([eE][+-]?\d+)?)( \S+)?$/

/** $0.0<sub title="0.000001532">5</sub>1532: five zeros behind the point, then 1532. The title says the same. */
const COUNTED_ZEROS = /^(-?)\$?0\.0<sub(?: title="\$?([^"]*)")?>(\d{1,3})<\/sub>(\d*)$/

/** Whether a text is a decimal number: `0.0000061`, `-12`, `1.5e-07`. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text)
}

/**
 * The number that a text of the source holds: the double nearest to it, or the whole number. null for
 * a display text without one (`-`), beyond the doubles (1e400), and for a whole number that is none or
 * lies beyond 2^53; the exact text stands beside it in any case.
 */
export function nearestNumber(
  number: NonNullable<RecordField['number']>,
  text: string,
): number | null {
  const value = number.text === 'decimal' ? Number(text) : displayedNumber(text)
  if (number.column.type === 'integer') return Number.isSafeInteger(value) ? value : null
  return Number.isFinite(value) ? value : null
}

function displayedNumber(text: string): number {
  const [, sign, digits] = DISPLAY.exec(text) ?? []
  return digits === undefined
    ? withCountedZeros(text)
    : Number(`${sign}${digits.replaceAll(',', '')}`)
}

/** NaN also where the title says another number: which of the two is meant is unknown. */
function withCountedZeros(text: string): number {
  const [, sign, title, zeros, digits] = COUNTED_ZEROS.exec(text) ?? []
  if (zeros === undefined) return NaN
  const size = Number(`0.${digits}e-${zeros}`)
  if (title !== undefined && Number(title) !== size) return NaN
  return sign === '-' ? -size : size
}
