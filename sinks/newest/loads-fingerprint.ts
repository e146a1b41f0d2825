import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable } from '../ledger/row-tables.ts'
import { loadsTable } from '../ledger/run-tables.ts'

/**
 * One text for the effect of all loads up to `loadId` on a table. While the text stays, only later loads have changed
 * the table. A store that was restored, repaired or put back from a backup gives another text.
 */
export async function loadsFingerprint(
  connection: DuckDBConnection,
  { name }: TableSpec,
  loadId: number,
): Promise<string> {
  const isOfTable = `table_name = ${quoteText(name)}`
  const [row] = await rowsOf(
    connection,
    `SELECT version() || ': ' || (${pastSql(loadsTable.name, `load_id <= ${loadId}`)}) || ', '
       || (${pastSql(contentsTable.name, `changed_by <= ${loadId} AND ${isOfTable}`)}) AS past`,
  )
  return String(row?.['past'])
}

/** The SELECT of one text for rows of the ledger. With one version of DuckDB equal texts mean equal rows. */
function pastSql(table: string, where: string): string {
  return `SELECT count(*) || ' ' || coalesce(bit_xor(hash(t)), 0) AS past FROM ${table} t WHERE ${where}`
}
