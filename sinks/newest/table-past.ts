import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable } from '../ledger/contents.ts'
import { loadsTable } from '../ledger/loads.ts'
import type { StoreReader } from '../publish/store-reader.ts'

/**
 * The effect of all loads up to `loadId` on a table, as one text: as long as the text stays the same, only later
 * loads have changed the table since. A store that was restored, repaired or put back from a backup has another past.
 */
export async function tablePast(
  store: StoreReader,
  { name }: TableSpec,
  loadId: number,
): Promise<string> {
  const ofTable = `table_name = ${quoteText(name)}`
  const loads = { row: 't', grownBy: 'load_id' }
  const contents = { row: 't', grownBy: 'changed_by', where: ofTable }
  const [row] = await store.rows(
    `SELECT version() || ': ' || (${pastSql(store.table(loadsTable.name), loads, loadId)}) || ', '
       || (${pastSql(store.table(contentsTable.name), contents, loadId)}) AS past`,
  )
  return String(row?.['past'])
}

/**
 * The SELECT of one text that tells the past of a part of the ledger which only grows: equal texts of one
 * version of DuckDB mean equal rows up to that load.
 *
 * @param row SQL of all that counts of a row; the relation is `t`
 * @param grownBy the column that says by which load a row came
 */
function pastSql(
  relation: string,
  { row, grownBy, where = 'true' }: { row: string; grownBy: string; where?: string },
  loadId: number,
): string {
  return `SELECT count(*) || ' ' || coalesce(bit_xor(hash(${row})), 0) AS past
    FROM ${relation} t WHERE (${where}) AND ${quoteName(grownBy)} <= ${loadId}`
}
