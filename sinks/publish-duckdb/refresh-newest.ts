import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import { column } from '../../datasets/table/column.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { ledgerTable } from '../ledger/ledger-table.ts'
import { contentsTable } from '../ledger/row-tables.ts'
import { newestRows } from '../newest/newest-rows.ts'
import {
  columnsOf,
  NEWEST_SCHEMA,
  newestRelation,
  type NewestTable,
} from '../newest/newest-tables.ts'
import { loadsFingerprint } from '../newest/loads-fingerprint.ts'

export const followsTable = ledgerTable(
  '_follows',
  'Which loads the newest rows beside it were taken from.',
  ['table_name'],
  [
    column('table_name', 'string', 'The history.'),
    column('load_id', 'integer', 'The newest of those loads.'),
    column('follows', 'string', 'What they did, as a fingerprint.'),
  ],
)

/**
 * Brings a newest table in the store up to `loadId`, the newest load. The table is written again whole. Only rows of
 * later loads are read, unless an earlier load has changed.
 */
export async function refreshNewest(
  connection: DuckDBConnection,
  newest: NewestTable,
  loadId: number,
): Promise<void> {
  const { source, table } = newest
  const name = quoteText(source.name)
  const relation = newestRelation(source)
  const follows = `${NEWEST_SCHEMA}.${followsTable.name}`
  const [kept] = await rowsOf(connection, `SELECT * FROM ${follows} WHERE table_name = ${name}`)
  const keptId = Number(kept?.['load_id'])
  const isContinued =
    kept !== undefined && kept['follows'] === (await loadsFingerprint(connection, source, keptId))
  if (isContinued) {
    const changes = await rowsOf(
      connection,
      `SELECT 1 AS one FROM ${contentsTable.name}
       WHERE table_name = ${name} AND changed_by > ${keptId} LIMIT 1`,
    )
    if (changes.length === 0) return
  }
  const rows = await newestRows(
    connection,
    newest,
    isContinued ? { relation, loadId: keptId } : null,
  )
  const columns = columnsOf(newest)
  const past = quoteText(await loadsFingerprint(connection, source, loadId))
  await connection.run(
    `DELETE FROM ${relation};
     INSERT INTO ${relation} (${columns}) SELECT ${columns} FROM ${rows}
     ORDER BY ${table.sort.map(quoteName).join(', ')};
     DELETE FROM ${follows} WHERE table_name = ${name};
     INSERT INTO ${follows} VALUES (${name}, ${loadId}, ${past})`,
  )
}
