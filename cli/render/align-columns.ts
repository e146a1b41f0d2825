import { printable } from '../../config/values/foreign-text.ts'
import { displayWidth, padToWidth } from './display-width.ts'

/** Rows of text as aligned lines under a header; `right` has the indexes of right-aligned columns. */
export function alignColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const shown = [header, ...rows].map((row) => row.map(printable))
  return alignedRows(shown, columnWidths(shown), right)
}

/** The widest cell of each column, in cells of a terminal. The first row has every column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 0),
  )
}

/** Rows of printable text, which may have our colours, as lines. */
export function alignedRows(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  right: readonly number[],
): string[] {
  return rows.map((row) =>
    widths
      .map((width, column) =>
        padToWidth(row[column] ?? '', width, right.includes(column) ? 'right' : 'left'),
      )
      .join('  ')
      .trimEnd(),
  )
}
