import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { figureTableSchema } from './figure-table.ts'

/** Folder of the figures in the docs. */
export const RESULTS_DIR = fileURLToPath(new URL('./results', import.meta.url))

/** More digits than any table shows. */
const SIGNIFICANT_DIGITS = 6

const recordSchema = z.strictObject({
  benchmark: z.string(),
  /** The command as it was typed. */
  command: z.string(),
  /** Begin, UTC. */
  takenAt: z.iso.datetime(),
  machine: z.strictObject({
    cores: z.int(),
    memoryGib: z.number(),
    cpu: z.string(),
    os: z.string(),
    node: z.string(),
  }),
  /** Commit of the measured code; `+` at the end = with uncommitted changes. */
  commit: z.string(),
  /** Share of the machine's CPU time that other processes used meanwhile, 0 to 1. */
  othersShare: z.number().min(0).max(1),
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

export function othersShareText({ othersShare }: BenchRecord): string {
  return `other processes had ${(othersShare * 100).toFixed(0)} % of the machine meanwhile`
}

/** The text of a record: JSON with one line per table row, so that a diff shows the changed rows. */
function recordText(record: BenchRecord): string {
  const lines: string[] = []
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value)
      ? Number(value.toPrecision(SIGNIFICANT_DIGITS))
      : value
  const onOneLine = (value: unknown): string =>
    `<line ${lines.push(JSON.stringify(value, rounded)) - 1}>`
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
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    const advice = 'take it again with the benchmark, or remove the file'
    throw new Error(`${path} is no record; ${advice}`, { cause })
  }
}
