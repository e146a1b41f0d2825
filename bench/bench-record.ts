import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { figure, figureTableSchema, isGoal } from './figure-table.ts'
import type { Cell, FigureTable } from './figure-table.ts'

/** Folder with the figures of the pages. */
export const RESULTS_DIR = fileURLToPath(new URL('./results', import.meta.url))

/** More digits than any table shows. */
const SIGNIFICANT_DIGITS = 6

/** null = a record written by hand, before all fields were kept. */
const recordSchema = z.strictObject({
  benchmark: z.string(),
  /** The command as it was typed. */
  command: z.string(),
  /** Begin: UTC time, or the day. */
  takenAt: z.union([z.iso.datetime(), z.iso.date()]),
  tookS: z.number().nullable(),
  machine: z.strictObject({
    cores: z.int(),
    memoryGib: z.number(),
    cpu: z.string().nullable(),
    os: z.string(),
    node: z.string().nullable(),
  }),
  /** Commit of the measured code; `+` at the end = with uncommitted changes. */
  commit: z.string().nullable(),
  /** Share of the machine's CPU time that other processes used meanwhile, 0 to 1. */
  othersShare: z.number().min(0).max(1).nullable(),
  /** The machine's other load, in words. */
  load: z.string(),
  scenario: z.string(),
  tables: z.array(figureTableSchema),
})

/** The figures of one benchmark in one scenario. */
export type BenchRecord = z.infer<typeof recordSchema>

/** The file of a scenario: `publish-1-50.json` of `publish` with the arguments 1 and 50. */
export function recordFile(name: string, args: readonly string[]): string {
  const slug = args
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
  const parts = [name, slug.replaceAll(/^-+|-+$/g, '')].filter((part) => part !== '')
  return `${parts.join('-')}.json`
}

/** Rounds figures to the digits that are kept. null = the figure could not be measured. */
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

/** The text of a record: JSON with one line per table row, so that a diff shows the changed rows. */
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

/** Writes a record into a folder, over the old record of the scenario. Returns the path. */
export function writeRecord(dir: string, file: string, record: BenchRecord): string {
  const path = join(dir, file)
  // The parsed record has the key order of the schema. A record must be readable again.
  writeFileSync(path, recordText(recordSchema.parse(record)))
  return path
}

/**
 * The records of a folder, by file name.
 *
 * @throws Error that names the invalid file and what to do
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
