import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { allTables } from '../../datasets/index.ts'

/**
 * Rows, keys and a hash of every dataset table in a DuckDB file or a Parquet tree, whatever the order
 * of the rows. Lineage (which load, which run) is left out: it may differ between two runs that
 * brought the same data. Reads as `<n> rows of <n> keys, <hash>`.
 */
export async function tableHashes(
  place: string | { parquetLink: string },
): Promise<Record<string, string>> {
  const isFile = typeof place === 'string'
  const instance = await DuckDBInstance.create(isFile ? place : ':memory:', {
    ...(isFile && { access_mode: 'READ_ONLY' }),
    threads: '1',
  })
  const connection = await instance.connect()
  try {
    const hashes: Record<string, string> = {}
    const standing = await connection.runAndReadAll('SELECT name FROM (SHOW TABLES)')
    const names = new Set(standing.getRows().flat())
    for (const table of allTables) {
      const folder = isFile ? null : join(place.parquetLink, table.name)
      // A table without rows has no file in the tree, and one that nobody asked for is not in a store.
      if (folder === null ? !names.has(table.name) : !existsSync(folder)) {
        hashes[table.name] = NO_ROWS
        continue
      }
      const relation =
        folder === null
          ? quoteName(table.name)
          : `read_parquet(${quoteText(join(folder, '*.parquet'))})`
      const reader = await connection.runAndReadAll(tableHashSql(table, relation))
      hashes[table.name] = String(reader.getRows()[0]?.[0])
    }
    return hashes
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** One text: see tableHashes. */
export function tableHashSql(table: TableSpec, relation: string): string {
  const columns = table.columns.map((column) => quoteName(column.name)).join(', ')
  return `SELECT count(*) || ' rows of ' || count(DISTINCT (${table.key.map(quoteName).join(', ')})) || ' keys, '
      || coalesce(sum(hash(${columns})::HUGEINT), 0) || ' ' || coalesce(bit_xor(hash(${columns})), 0) AS hash
    FROM ${relation}`
}

/** The hash of a table without rows. */
export const NO_ROWS = '0 rows of 0 keys, 0 0'

/** How many rows are in `expected` and not in `found`, and how many stand twice in `found`. */
export function countLosses(
  expected: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): { lost: number; twice: number } {
  const total = { lost: 0, twice: 0 }
  for (const [name, text] of Object.entries(expected)) {
    const wanted = numbersOf(text)
    const held = numbersOf(found[name] ?? NO_ROWS)
    total.lost += Math.max(0, wanted.keys - held.keys)
    total.twice += held.rows - held.keys
  }
  return total
}

function numbersOf(text: string): { rows: number; keys: number } {
  const [, rows, keys] = /^(\d+) rows of (\d+) keys/.exec(text) ?? []
  return { rows: Number(rows), keys: Number(keys) }
}
