import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { allTables } from '../../datasets/index.ts'
import { inDuckdb } from './duckdb.ts'

/**
 * Rows, keys and a hash of every dataset table in a DuckDB file or a Parquet tree, whatever the order
 * of the rows. Lineage (which load, which run) is left out: it may differ between two runs that
 * brought the same data. Reads as `<n> rows of <n> keys, <hash>`.
 */
export async function tableHashes(
  place: string | { parquetLink: string },
): Promise<Record<string, string>> {
  const isFile = typeof place === 'string'
  return await inDuckdb(
    isFile ? place : ':memory:',
    async (connection) => {
      const hashes: Record<string, string> = {}
      for (const table of allTables) {
        const folder = isFile ? null : join(place.parquetLink, table.name)
        const isAbsent = folder !== null && !existsSync(folder)
        const relation =
          folder === null ? table.name : `read_parquet(${quoteText(join(folder, '*.parquet'))})`
        // A table without rows has no file in the tree.
        hashes[table.name] = isAbsent ? NO_ROWS : await tableHash(connection, table, relation)
      }
      return hashes
    },
    isFile ? 'READ_ONLY' : 'READ_WRITE',
  )
}

/** The hash of one relation. One that is not there has no rows: nobody asked for it. */
export async function tableHash(
  connection: DuckDBConnection,
  table: TableSpec,
  relation: string,
): Promise<string> {
  if (!(await stands(connection, relation))) return NO_ROWS
  const reader = await connection.runAndReadAll(tableHashSql(table, relation))
  return String(reader.getRows()[0]?.[0])
}

/** Whether a relation is there in its own database; one that is no plain name is left to the query. */
async function stands(connection: DuckDBConnection, relation: string): Promise<boolean> {
  const name = /^(?:(\w+)\.)?(\w+)$/.exec(relation)
  if (name === null) return true
  const [, database = null, table = ''] = name
  const found = await connection.runAndReadAll(
    `SELECT 1 FROM information_schema.tables
     WHERE table_catalog = coalesce($database, current_database()) AND table_name = $table`,
    { database, table },
  )
  return found.getRows().length > 0
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
    const wanted = countsOf(text)
    const held = countsOf(found[name] ?? NO_ROWS)
    total.lost += Math.max(0, wanted.keys - held.keys)
    total.twice += held.rows - held.keys
  }
  return total
}

/** How many rows and keys a hash is of. */
export function countsOf(text: string): { rows: number; keys: number } {
  const [, rows, keys] = /^(\d+) rows of (\d+) keys/.exec(text) ?? []
  return { rows: Number(rows), keys: Number(keys) }
}
