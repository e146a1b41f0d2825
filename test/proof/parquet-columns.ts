import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { asyncBufferFromFile, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { Column, TableSpec } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/table/ddl.ts'

type Value = string | number | boolean | null
type Columns = Map<string, Value[]>

export interface ComparedTree {
  rows: number
  values: number
  differences: string[]
}

/**
 * Reads the Parquet files of a table with hyparquet, which shares no code with DuckDB. Compares each value with the
 * served table, file by file and in order.
 */
export async function compareParquet(
  connection: DuckDBConnection,
  table: TableSpec,
  parquetLink: string,
): Promise<ComparedTree> {
  const found: ComparedTree = { rows: 0, values: 0, differences: [] }
  const dir = join(parquetLink, table.name)
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.parquet')) : []
  for (const file of files.sort()) {
    const read = await readFile(join(dir, file), table)
    const held = await readHeld(connection, table, file.replace('.parquet', ''))
    for (const { name } of table.columns) {
      const [actual, expected] = [read.get(name) ?? [], held.get(name) ?? []]
      const at = firstDifference(actual, expected)
      if (at !== null) {
        const [got, wanted] = [actual[at], expected[at]].map((value) => JSON.stringify(value))
        found.differences.push(`${table.name}/${file} ${name}[${at}]: ${got}, not ${wanted}`)
      }
      found.values += actual.length
    }
    found.rows += read.get(table.columns[0]!.name)?.length ?? 0
  }
  return found
}

function firstDifference(actual: readonly Value[], expected: readonly Value[]): number | null {
  const length = Math.max(actual.length, expected.length)
  for (let at = 0; at < length; at++) if (!Object.is(actual[at], expected[at])) return at
  return null
}

async function readFile(path: string, table: TableSpec): Promise<Columns> {
  const columns: Columns = new Map(table.columns.map(({ name }) => [name, []]))
  await parquetRead({
    file: await asyncBufferFromFile(path),
    columns: table.columns.map(({ name }) => name),
    compressors,
    parsers: {
      timestampFromMicroseconds: (us: bigint) => us,
      dateFromDays: (days: number) => days,
    },
    onChunk: ({ columnName, columnData, rowStart }) => {
      const values = columns.get(columnName)!
      for (let i = 0; i < columnData.length; i++) {
        values[rowStart + i] = plain(columnData[i] as Value | bigint | undefined)
      }
    },
  })
  return columns
}

function plain(value: Value | bigint | undefined): Value {
  return typeof value === 'bigint' ? Number(value) : (value ?? null)
}

/** The served rows of a file's month, in the order the table is sorted by. */
async function readHeld(
  connection: DuckDBConnection,
  table: TableSpec,
  month: string,
): Promise<Columns> {
  const { monthBy, columns, sort } = table
  const inMonth =
    monthBy === null
      ? 'true'
      : `strftime(${quoteName(monthBy)} AT TIME ZONE 'UTC', '%Y-%m') = '${month}'`
  const reader = await connection.runAndReadAll(
    `SELECT ${columns.map(asPlain).join(', ')} FROM ${table.name} WHERE ${inMonth}
     ORDER BY ${sort.map((name) => `${table.name}.${quoteName(name)}`).join(', ')}`,
  )
  const values = reader.getColumnsJS() as Value[][]
  return new Map(columns.map(({ name }, index) => [name, values[index]!]))
}

/** Times in microseconds, days since 1970 and whole numbers, all as numbers: they stay exact. */
function asPlain({ name, type }: Column): string {
  const column = quoteName(name)
  if (type === 'timestamp') return `epoch_us(${column})::DOUBLE AS ${column}`
  if (type === 'date') return `(${column} - DATE '1970-01-01')::DOUBLE AS ${column}`
  return type === 'integer' ? `${column}::DOUBLE AS ${column}` : column
}
