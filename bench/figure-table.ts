import { z } from 'zod'
import { alignColumns } from '../cli/render/align-columns.ts'

/** A measured number; null = not measurable (JSON has no NaN). */
const figureSchema = z.number().nullable()

/** A figure with a goal. */
const goalSchema = z.union([
  z.strictObject({ value: figureSchema, atMost: z.number() }),
  z.strictObject({ value: figureSchema, atLeast: z.number() }),
])
export type Goal = z.infer<typeof goalSchema>

const cellSchema = z.union([figureSchema, z.string(), goalSchema])
export type Cell = z.infer<typeof cellSchema>

/** The name of a column or a row, the unit of its figures, and the decimals shown. */
const labelSchema = z.strictObject({
  name: z.string(),
  unit: z.string().optional(),
  decimals: z.int().min(0).optional(),
})
export type Column = z.infer<typeof labelSchema>

const rowSchema = z.strictObject({ ...labelSchema.shape, cells: z.array(cellSchema) })
export type Row = z.infer<typeof rowSchema>

/** Figures side by side. Unit and decimals come from the column, else from the row. */
export const figureTableSchema = z.strictObject({
  title: z.string().optional(),
  /** The kind of the rows: the head of the first column. */
  rowsAre: z.string().optional(),
  columns: z.array(labelSchema),
  rows: z.array(rowSchema),
})
export type FigureTable = z.infer<typeof figureTableSchema>

/** A number as a figure; null for NaN and infinity, as from a division by zero. */
export function figure(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}

export function isGoal(cell: Cell | undefined): cell is Goal {
  return typeof cell === 'object' && cell !== null
}

/** `name, unit`, or only the one that is given. */
function labelText({ name, unit }: { name: string; unit?: string | undefined }): string {
  return [name, unit ?? ''].filter((part) => part !== '').join(', ')
}

/** The goal's kind, bound and verdict. Open = the figure could not be measured. */
export function judged(goal: Goal): {
  kind: 'at most' | 'at least'
  bound: string
  verdict: 'kept' | 'missed' | 'open'
} {
  const isMost = 'atMost' in goal
  const bound = isMost ? goal.atMost : goal.atLeast
  const kind = isMost ? 'at most' : 'at least'
  if (goal.value === null) return { kind, bound: String(bound), verdict: 'open' }
  const isKept = isMost ? goal.value <= bound : goal.value >= bound
  return { kind, bound: String(bound), verdict: isKept ? 'kept' : 'missed' }
}

/** A figure as it is shown, without its goal; `-` = could not be measured. */
export function figureText(cell: Cell | undefined, column: Column, row: Row): string {
  const value = isGoal(cell) ? cell.value : (cell ?? null)
  if (value === null) return '-'
  if (typeof value === 'string') return value
  const decimals = column.decimals ?? row.decimals
  return decimals === undefined ? String(value) : value.toFixed(decimals)
}

/** Width of a verdict; it aligns the bounds. */
const VERDICT_WIDTH = 'missed'.length

/** A table as aligned lines under its title. A column with goals has its verdicts behind it. */
export function tableLines({ title = '', rowsAre = '', columns, rows }: FigureTable): string[] {
  const shown = columns.map((column, at) => {
    const figures = rows.map((row) => figureText(row.cells[at], column, row))
    const goals = rows.map(({ cells }) => {
      const cell = cells[at]
      return isGoal(cell) ? judged(cell) : null
    })
    const kinds = new Set(goals.flatMap((goal) => goal?.kind ?? []))
    const [only] = kinds.size === 1 ? kinds : []
    const verdicts = goals.map((goal) => {
      if (goal === null) return ''
      const bound = only === undefined ? `${goal.kind} ${goal.bound}` : goal.bound
      return `${bound} ${goal.verdict.padEnd(VERDICT_WIDTH)}`
    })
    return [
      { head: labelText(column), cells: figures },
      ...(kinds.size === 0
        ? []
        : [{ head: `${only ?? 'goal'} ${' '.repeat(VERDICT_WIDTH)}`, cells: verdicts }]),
    ]
  })
  const all = shown.flat()
  const lines = alignColumns(
    [rowsAre, ...all.map(({ head }) => head)],
    rows.map((row, at) => [labelText(row), ...all.map(({ cells }) => cells[at] ?? '')]),
    all.map((_, at) => at + 1),
  )
  const [head = '', ...below] = lines
  return [title, head].filter((line) => line !== '').concat(below)
}

/** Several tables, an empty line between two. */
export function tablesText(tables: readonly FigureTable[]): string {
  return tables.map((table) => tableLines(table).join('\n')).join('\n\n')
}
