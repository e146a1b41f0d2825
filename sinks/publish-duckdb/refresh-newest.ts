import { column } from '../../datasets/table/column.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable } from '../ledger/contents.ts'
import { ledgerTable } from '../ledger/ledger-table.ts'
import { columnsOf } from '../newest/newest-sql.ts'
import { newestRows } from '../newest/newest-rows.ts'
import { NEWEST_SCHEMA, type NewestTable } from '../newest/newest-tables.ts'
import { loadsFingerprint } from '../newest/loads-fingerprint.ts'
import type { StoreReader } from '../publish/store-reader.ts'

/** Which loads each newest table has. */
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
  store: StoreReader,
  newest: NewestTable,
  loadId: number,
): Promise<void> {
  const { source, table } = newest
  const name = quoteText(source.name)
  const relation = store.table(source.name, NEWEST_SCHEMA)
  const follows = store.table(followsTable.name, NEWEST_SCHEMA)
  const [kept] = await store.rows(`SELECT * FROM ${follows} WHERE table_name = ${name}`)
  const keptId = Number(kept?.['load_id'])
  const isContinued =
    kept !== undefined && kept['follows'] === (await loadsFingerprint(store, source, keptId))
  if (isContinued) {
    const changes = await store.rows(
      `SELECT 1 AS one FROM ${store.table(contentsTable.name)}
       WHERE table_name = ${name} AND changed_by > ${keptId} LIMIT 1`,
    )
    if (changes.length === 0) return
  }
  const rows = await newestRows(store, newest, isContinued ? { relation, loadId: keptId } : null)
  const columns = columnsOf(newest)
  const past = quoteText(await loadsFingerprint(store, source, loadId))
  await store.script([
    `DELETE FROM ${relation}`,
    `INSERT INTO ${relation} (${columns}) SELECT ${columns} FROM ${rows}
     ORDER BY ${table.sort.map(quoteName).join(', ')}`,
    `DELETE FROM ${follows} WHERE table_name = ${name}`,
    `INSERT INTO ${follows} VALUES (${name}, ${loadId}, ${past})`,
  ])
}
