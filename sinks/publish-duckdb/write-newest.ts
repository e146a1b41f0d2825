import { columnsOf } from '../newest/newest-sql.ts'
import { newestRows } from '../newest/newest-rows.ts'
import type { NewestTable } from '../newest/newest-tables.ts'
import { quoteName } from '../../datasets/ddl.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import { inVersion } from './version-writer.ts'

/**
 * Brings a newest table of the attached version to what the store holds. It has a row per series and is
 * written anew, but only what later loads have written is read for it.
 *
 * @param loadId the load that the version shows and the store continues; null = the table is empty
 */
export async function writeNewest(
  store: StoreReader,
  newest: NewestTable,
  loadId: number | null,
): Promise<void> {
  const target = inVersion(newest.table.name)
  const rows = await newestRows(
    store,
    newest,
    loadId === null ? null : { relation: target, loadId },
  )
  const columns = columnsOf(newest)
  await store.run(`DELETE FROM ${target}`)
  await store.run(
    `INSERT INTO ${target} (${columns}) SELECT ${columns} FROM ${rows}
     ORDER BY ${newest.table.sort.map(quoteName).join(', ')}`,
  )
}
