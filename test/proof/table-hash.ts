import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/table/ddl.ts'

/** Rows of a table in two numbers that no order of them changes. */
export interface TableHash {
  rows: number
  hash: string
}

/**
 * Hashes the dataset's own columns of every row: exclusive or, and sum, so that rows that come twice do
 * not cancel out. Lineage is left out, as two loads of the same rows differ in it. A table that is not there
 * has no rows: nobody asked for it.
 */
export async function tableHash(
  connection: DuckDBConnection,
  table: TableSpec,
  relation: string,
): Promise<TableHash> {
  const columns = table.columns.map(({ name }) => quoteName(name)).join(', ')
  if (!(await stands(connection, relation))) return { rows: 0, hash: 'empty' }
  const reader = await connection.runAndReadAll(
    `SELECT count(*)::DOUBLE AS rows, bit_xor(h)::VARCHAR || ' ' || sum(h::HUGEINT)::VARCHAR AS hash
     FROM (SELECT hash(${columns}) AS h FROM ${relation})`,
  )
  const [[rows, hash]] = reader.getRowsJS() as [[number, string | null]]
  return { rows, hash: hash ?? 'empty' }
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
