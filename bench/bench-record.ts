import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { figure, figureTableSchema, isGoal } from './figure-table.ts'
import type { Cell, FigureTable } from './figure-table.ts'

/** Where the figures of the pages are kept. */
export const RESULTS_DIR = fileURLToPath(new URL('./results', import.meta.url))

/** More digits than any table shows, and fewer than chance. */
const SIGNIFICANT_DIGITS = 6

/** A field is null in records by hand from before all fields were kept. */
const recordSchema = z.strictObject({
  benchmark: z.string(),
  /** As it was typed. */
  command: z.string(),
  /** When it began: UTC, or the day. */
  takenAt: z.union([z.iso.datetime(), z.iso.date()]),
  tookS: z.number().nullable(),
  machine: z.strictObject({
    cores: z.int(),
    memoryGib: z.number(),
    cpu: z.string().nullable(),
    os: z.string(),
    node: z.string().nullable(),
  }),
  /** Of the code that was measured; ends with `+` where that was changed since. */
  commit: z.string().nullable(),
  /** Part of the machine's CPU time that other processes had meanwhile, 0 to 1. */
  othersShare: z.number().min(0).max(1).nullable(),
  /** The machine's other load, in words. */
  load: z.string(),
  scenario: z.string(),
  tables: z.array(figureTableSchema),
})

/** The figures of one benchmark in one scenario, with all that they depend on. */
export type BenchRecord = z.infer<typeof recordSchema>

/** The file of a scenario: `publish-1-50.json` of `publish` with the arguments 1 and 50. */
export function recordFile(name: string, variant: readonly string[]): string {
  const slug = variant
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
  const parts = [name, slug.replaceAll(/^-+|-+$/g, '')].filter((part) => part !== '')
  return `${parts.join('-')}.json`
}

/** The same figures with as many digits as are kept; what is no finite number could not be measured. */
export function roundFigures(tables: readonly FigureTable[]): FigureTable[] {
  const round = (value: number | null): number | null => {
    if (value === null || Number.isInteger(value)) return value
    return figure(Number(value.toPrecision(SIGNIFICANT_DIGITS)))
  }
  const cell = (one: Cell): Cell => {
    if (typeof one === 'string') return one
    return isGoal(one) ? { ...one, value: round(one.value) } : round(one)
  }
  return tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(cell) })),
  }))
}

/** The text of the file: JSON with a line for each row of a table, so that a diff shows which have changed. */
export function recordText(record: BenchRecord): string {
  const lines: string[] = []
  const onOneLine = (value: unknown): string => `<line ${lines.push(JSON.stringify(value)) - 1}>`
  const tables = record.tables.map(({ columns, rows, ...rest }) => ({
    ...rest,
    columns: columns.map(onOneLine),
    rows: rows.map(onOneLine),
  }))
  const text = JSON.stringify({ ...record, tables }, null, 2)
  return `${text.replaceAll(/"<line (\d+)>"/g, (_, at: string) => lines[Number(at)] ?? '')}\n`
}

/** Keeps a record in a folder, in place of the one of the same scenario. Returns the path. */
export function writeRecord(dir: string, file: string, record: BenchRecord): string {
  const path = join(dir, file)
  // What the schema gives back has its order of keys, and would be read again.
  writeFileSync(path, recordText(recordSchema.parse(record)))
  return path
}

/**
 * The records of a folder, by file name.
 *
 * @throws Error that names the file which is none, and what to do
 */
export function readRecords(dir: string): BenchRecord[] {
  const files = readdirSync(dir).filter((name) => name.endsWith('.json'))
  return files.toSorted().map((file) => readRecord(join(dir, file)))
}

function readRecord(path: string): BenchRecord {
  const advice = 'take it again with the benchmark, or remove the file'
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} is not JSON; ${advice}`, { cause: error })
  }
  const parsed = recordSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new Error(`${path}: ${z.prettifyError(parsed.error)}\n${advice}`)
}
