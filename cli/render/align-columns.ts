import { printable } from '../../config/values/foreign-text.ts'
import { displayWidth, padToWidth } from './display-width.ts'

/** Rows of text as aligned lines under a header; `right` has the indexes of right-aligned columns. */
export function alignColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const shown = [header, ...rows].map((row) => row.map(printable))
  const widths = header.map((_, column) =>
    shown.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 0),
  )
  return shown.map((row) =>
    widths
      .map((width, column) =>
        padToWidth(row[column] ?? '', width, right.includes(column) ? 'right' : 'left'),
      )
      .join('  ')
      .trimEnd(),
  )
}
