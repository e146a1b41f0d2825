import { CONTRACT_ADDRESS } from '../../../datasets/table/common-columns.ts'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../../datasets/table/ddl.ts'
import { loadsTable } from '../../ledger/loads.ts'
import { partitionsTable } from '../../ledger/partitions.ts'
import { monthSql } from '../merge/merge-sql.ts'
import { noteContentsSql } from '../load/note-contents.ts'
import type { Session } from '../session.ts'

const ADDRESS = CONTRACT_ADDRESS.name
/** Rows to change, each with its place among the rows that will have one key. Place 1, the newest answer, stays. */
const ROWS = 'temp.lower_case_rows'

/** The tables with a contract address in their key. */
export function tablesOfAddresses(tables: readonly TableSpec[]): TableSpec[] {
  return tables.filter(({ key }) => key.includes(ADDRESS))
}

/**
 * Statements that turn EVM addresses into lower case, for a store of an older coinlake, which kept the spelling of the
 * source. [] = no address changes. The changed rows belong to a new load, so that `_contents` stays exact and
 * publications write them again.
 */
export async function lowerCaseAddresses(
  session: Session,
  tables: readonly TableSpec[],
  load: { nowMs: number; coinlakeVersion: string },
): Promise<string[]> {
  const mixed: TableSpec[] = []
  for (const table of tables) {
    const [found] = await session.rows(
      `SELECT count(*) AS mixed FROM ${quoteName(table.name)} t WHERE ${isMixed('t')}`,
    )
    if (Number(found?.['mixed']) > 0) mixed.push(table)
  }
  if (mixed.length === 0) return []
  const [last] = await session.rows(
    `SELECT coalesce(max(load_id), 0) AS id FROM ${loadsTable.name}`,
  )
  const loadId = Number(last?.['id']) + 1
  return [
    ...mixed.flatMap((table) => tableStatements(table, loadId)),
    // Each load belongs to a run, so this one gets the run of the newest load.
    `INSERT INTO ${loadsTable.name} BY NAME
     SELECT ${loadId} AS load_id, coalesce(arg_max(run_id, load_id), '') AS run_id,
       make_timestamptz(${load.nowMs * 1000}) AS loaded_at, 0 AS slices, 0 AS rows_inserted,
       0 AS rows_replaced, 0 AS rows_revised, 0 AS rows_duplicate, 0 AS rows_quarantined,
       ${quoteText(load.coinlakeVersion)} AS coinlake_version FROM ${loadsTable.name}`,
  ]
}

function isMixed(alias: string): string {
  const column = `${alias}.${quoteName(ADDRESS)}`
  return `regexp_full_match(${column}, '0x[0-9a-fA-F]{40}') AND ${column} <> lower(${column})`
}

function tableStatements(table: TableSpec, loadId: number): string[] {
  const name = quoteName(table.name)
  const lowered = `lower(t.${quoteName(ADDRESS)})`
  const key = table.key.map((column) => (column === ADDRESS ? lowered : `t.${quoteName(column)}`))
  const same = `PARTITION BY ${key.join(', ')}`
  const isCatalogue = table.load === 'catalogue'
  const rows = `FROM ${name} t WHERE t.rowid IN (SELECT row_no FROM ${ROWS})`
  const partitions = partitionsTable.name
  const lineage = { sliceId: 't.slice_id', loadId: 't.load_id', changedBy: String(loadId) }
  return [
    `CREATE OR REPLACE TEMP TABLE ${ROWS} AS
     SELECT t.rowid AS row_no, ${monthSql(table, 't')} AS month,
       row_number() OVER (${same} ORDER BY t.fetched_at DESC, t.rowid) AS place
       ${isCatalogue ? `, min(t.first_seen_at) OVER (${same}) AS first_seen_at` : ''}
     FROM ${name} t
     WHERE ${lowered} IN (SELECT lower(m.${quoteName(ADDRESS)}) FROM ${name} m WHERE ${isMixed('m')})
     QUALIFY bool_or(${isMixed('t')}) OVER (${same})`,
    noteContentsSql(table, rows, { ...lineage, isRemoved: true }, 't'),
    `DELETE FROM ${partitions} WHERE table_name = ${quoteText(table.name)}
       AND month IN (SELECT month FROM ${ROWS})`,
    `INSERT INTO ${partitions} BY NAME
     SELECT DISTINCT ${quoteText(table.name)} AS table_name, month, ${loadId} AS load_id FROM ${ROWS}`,
    `DELETE FROM ${name} WHERE rowid IN (SELECT row_no FROM ${ROWS} WHERE place > 1)`,
    `UPDATE ${name} AS t SET ${quoteName(ADDRESS)} = ${lowered}, load_id = ${loadId}
       ${isCatalogue ? ', first_seen_at = r.first_seen_at' : ''} FROM ${ROWS} r WHERE t.rowid = r.row_no`,
    noteContentsSql(
      table,
      `FROM ${name} t WHERE t.load_id = ${loadId}`,
      { ...lineage, isRemoved: false },
      't',
    ),
    `DROP TABLE ${ROWS}`,
  ]
}
