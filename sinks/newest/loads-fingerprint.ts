import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable, loadsTable } from '../ledger/ledger-tables.ts'

/**
 * One text for the effect of all loads up to `loadId` on a table. While the text stays, only later loads have changed
 * the table. A store that was restored, repaired or put back from a backup gives another text.
 */
export async function loadsFingerprint(
  connection: DuckDBConnection,
  { name }: TableSpec,
  loadId: number,
): Promise<string> {
  const ofTable = `table_name = ${quoteText(name)}`
  const loads = { row: 't', grownBy: 'load_id' }
  const contents = { row: 't', grownBy: 'changed_by', where: ofTable }
  const [row] = await rowsOf(
    connection,
    `SELECT version() || ': ' || (${pastSql(loadsTable.name, loads, loadId)}) || ', '
       || (${pastSql(contentsTable.name, contents, loadId)}) AS past`,
  )
  return String(row?.['past'])
}

/**
 * The SELECT of one text for the rows up to a load. This part of the ledger only grows. With one version of
 * DuckDB equal texts mean equal rows.
 *
 * @param row SQL of the parts of a row that count, in the relation `t`
 * @param grownBy the column with the load that added a row
 */
function pastSql(
  relation: string,
  { row, grownBy, where = 'true' }: { row: string; grownBy: string; where?: string },
  loadId: number,
): string {
  return `SELECT count(*) || ' ' || coalesce(bit_xor(hash(${row})), 0) AS past
    FROM ${relation} t WHERE (${where}) AND ${quoteName(grownBy)} <= ${loadId}`
}
