import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/ddl.ts'

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
  const plain = relation.split('.').at(-1) ?? ''
  const standing = await connection.runAndReadAll(
    `SELECT 1 FROM information_schema.tables WHERE table_name = '${plain}'`,
  )
  if (/^\w+$/.test(plain) && standing.getRows().length === 0) return { rows: 0, hash: 'empty' }
  const reader = await connection.runAndReadAll(
    `SELECT count(*)::DOUBLE AS rows, bit_xor(h)::VARCHAR || ' ' || sum(h::HUGEINT)::VARCHAR AS hash
     FROM (SELECT hash(${columns}) AS h FROM ${relation})`,
  )
  const [[rows, hash]] = reader.getRowsJS() as [[number, string | null]]
  return { rows, hash: hash ?? 'empty' }
}
