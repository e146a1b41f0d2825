import type { RecordField } from './record-field.ts'

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

/** An optional dollar sign, digits with or without thousands commas, an optional unit after a blank. */
const DISPLAY = /^(-?)\$?(\d[\d,]*(\.\d+)?([eE][+-]?\d+)?)( \S+)?$/

/** $0.0<sub title="0.000001532">5</sub>1532: five zeros after the point, then 1532. The title repeats it. */
const COUNTED_ZEROS = /^(-?)\$?0\.0<sub(?: title="\$?([^"]*)")?>(\d{1,3})<\/sub>(\d*)$/

/** Whether a text is a decimal number: `0.0000061`, `-12`, `1.5e-07`. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text)
}

/**
 * The number in a text of the source: the nearest double, or the exact integer. Texts without a number (`-`) and
 * numbers beyond the doubles (1e400) are null. In an integer column, fractions and numbers beyond 2^53 are null, too.
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

/** The number of COUNTED_ZEROS. NaN when the title has another number, because either may be wrong. */
function withCountedZeros(text: string): number {
  const [, sign, title, zeros, digits] = COUNTED_ZEROS.exec(text) ?? []
  if (zeros === undefined) return NaN
  const size = Number(`0.${digits}e-${zeros}`)
  if (title !== undefined && Number(title) !== size) return NaN
  return sign === '-' ? -size : size
}
