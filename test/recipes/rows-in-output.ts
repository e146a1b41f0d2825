/** An amount or a count, or a month or day that begins with one: `2026-10-01`, `1,234.50`, `1e+05`. */
const WORD = /\d{4}-\d{2}(?:-\d{2})?|-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const DATE = /^\d{4}-\d{2}/
/** Tools round to cents in their own way. */
const TOLERANCE = 0.0051

/**
 * The rows that stand in no line of an output. A row stands in a line that has all of its values,
 * whatever the tool draws around them: days are compared by month, numbers to the cent.
 *
 * @param rows values as text: days as YYYY-MM-DD, and numbers
 */
export function rowsMissingIn(output: string, rows: readonly (readonly string[])[]): string[] {
  const lines = output.split('\n').map((line) => line.match(WORD) ?? [])
  return rows
    .filter((row) => !lines.some((words) => row.every((value) => stands(value, words))))
    .map((row) => row.join(' '))
}

function stands(value: string, words: readonly string[]): boolean {
  if (DATE.test(value)) return words.some((word) => word.slice(0, 7) === value.slice(0, 7))
  const wanted = Number(value)
  return words.some((word) => {
    return !DATE.test(word) && Math.abs(Number(word.replaceAll(',', '')) - wanted) <= TOLERANCE
  })
}
