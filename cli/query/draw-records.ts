import { clipToWidth, displayWidth, padToWidth } from '../render/display-width.ts'

/** One value as it is drawn. */
export interface Cell {
  text: string
  isNull: boolean
}

const GAP = 2

/** Rows that are too wide for the terminal, each as a block of its own: a line per column. */
export function drawRecords(
  names: readonly string[],
  rows: readonly (readonly Cell[])[],
  { width, dim }: { width: number; dim: (text: string) => string },
): string[] {
  const nameWidth = Math.max(...names.map((name) => displayWidth(name)))
  const valueWidth = Math.max(1, width - nameWidth - GAP)
  return rows.flatMap((row, index) => [
    `-- row ${index + 1} --`,
    ...row.map(({ text, isNull }, column) => {
      const name = padToWidth(names[column] ?? '', nameWidth + GAP)
      const drawn = clipToWidth(text, valueWidth)
      return name + (isNull ? dim(drawn) : drawn)
    }),
  ])
}
