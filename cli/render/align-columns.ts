/** Rows of text as aligned lines under a header; columns named in `right` are aligned right. */
export function alignColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  return [header, ...rows].map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? ''
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}
