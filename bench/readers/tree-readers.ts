import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { askPython } from './ask-python.ts'
import { pythonWith } from '../python-venv.ts'
import { compareCells, dayText, plainText, timeText } from './reader-cells.ts'
import type { CellText, Compared, Expected, Found } from './reader-cells.ts'

const PACKAGES = ['polars==2.1.0', 'pyarrow==26.0.1', 'pandas==3.1.1']

/** The libraries that read a Parquet tree. */
export const TREE_READERS: readonly string[] = [...PACKAGES, 'hyparquet']

/**
 * Reads tables of a Parquet tree with a library, each folder as one table. Returns a text if the library is not
 * available.
 *
 * @param tables with the names and types of their columns, as DuckDB shows them
 */
export async function readTree(
  reader: string,
  tree: string,
  tables: readonly Expected[],
): Promise<Compared | string> {
  const named = tables.map((table) => ({ ...table, columns: table.columns.map(nameOf) }))
  const found =
    reader === 'hyparquet'
      ? await Promise.all(named.map((table) => readByHyparquet(tree, table)))
      : await readByPython(reader, tree, tables)
  return typeof found === 'string' ? found : compareCells(named, found)
}

/** `coin_id` of `coin_id VARCHAR`. */
function nameOf(column: string): string {
  return column.replace(/ .*/, '')
}

async function readByPython(
  reader: string,
  tree: string,
  tables: readonly Expected[],
): Promise<Found[] | string> {
  const made = pythonWith(PACKAGES)
  if (typeof made === 'string') return made
  const asked = tables.map(({ name, columns }) => ({
    name,
    columns: columns.map(nameOf),
    integers: columns.filter((column) => column.endsWith(' BIGINT')).map(nameOf),
  }))
  const script = ['read_tree.py', reader.replace(/==.*/, '')] as const
  return await askPython(made.python, script, { tree, tables: asked })
}

/** A time from the parser, told from the bigint of a BIGINT. */
class Microseconds {
  readonly count: bigint
  constructor(count: bigint) {
    this.count = count
  }
}

async function readByHyparquet(tree: string, { name, columns }: Expected): Promise<Found> {
  const rows: CellText[][] = []
  for (const file of readdirSync(join(tree, name))) {
    const objects = await parquetReadObjects({
      file: await asyncBufferFromFile(join(tree, name, file)),
      compressors,
      parsers: {
        timestampFromMicroseconds: (count: bigint) => new Microseconds(count),
        dateFromDays: (days: number) => ({ days }),
      },
    })
    rows.push(...objects.map((row) => columns.map((column) => textOf(row[column]))))
  }
  return { name, columns, rows }
}

function textOf(value: unknown): CellText {
  if (value === null || value === undefined) return null
  if (value instanceof Microseconds) return timeText(value.count)
  if (typeof value === 'object' && 'days' in value) return dayText(Number(value.days))
  return plainText(value)
}
