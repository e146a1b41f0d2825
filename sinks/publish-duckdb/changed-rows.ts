import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/ddl.ts'
import { contentsTable } from '../ledger/contents.ts'
import { partitionsTable } from '../ledger/partitions.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import { insertSorted } from './sorted-pieces.ts'
import { inVersion } from './version-writer.ts'

/** Names of the tables of which a load has changed a month since the attached version was written. */
export async function changedTables(store: StoreReader): Promise<Set<string>> {
  const months = (relation: string): string =>
    `SELECT table_name, month, max(load_id) AS load_id FROM ${relation} GROUP BY ALL`
  const rows = await store.rows(
    `SELECT DISTINCT table_name FROM (${months(store.table(partitionsTable.name))}) s
     FULL JOIN (${months(inVersion(partitionsTable.name))}) v USING (table_name, month)
     WHERE s.load_id IS DISTINCT FROM v.load_id`,
  )
  return new Set(rows.map((row) => String(row['table_name'])))
}

/** What loads after `loadId` have done to each table that they wrote to: rows that came, and older ones that went. */
export async function rowsSince(
  store: StoreReader,
  loadId: number,
): Promise<{ came: number; went: number }[]> {
  const rows = await store.rows(
    `SELECT coalesce(sum(row_count) FILTER (row_count > 0), 0)::BIGINT AS came,
       coalesce(-sum(row_count) FILTER (row_count < 0 AND load_id <= ${loadId}), 0)::BIGINT AS went
     FROM ${store.table(contentsTable.name)} WHERE changed_by > ${loadId} GROUP BY table_name`,
  )
  return rows.map((row) => ({ came: Number(row['came']), went: Number(row['went']) }))
}

/**
 * Brings a table of the attached version to what the store holds, by what loads after `loadId` have
 * done: rows come and go together with a note in `_contents`, so only rows of slices that are noted
 * there are looked at. A catalogue changes rows in place, and is small: it is written anew.
 */
export async function applyChanges(
  store: StoreReader,
  table: TableSpec,
  loadId: number,
): Promise<{ inserted: number; deleted: number }> {
  const target = inVersion(table.name)
  if (table.load === 'catalogue') {
    const deleted = await store.count(`DELETE FROM ${target}`)
    return { deleted, inserted: await insertSorted(store, table, target) }
  }
  const deleted = await deleteGone(store, table, loadId)
  const inserted = await insertSorted(store, table, target, `load_id > ${loadId}`)
  return { deleted, inserted }
}

/** Of slices that a later load took rows from, the rows that are not in the store any more. */
async function deleteGone(store: StoreReader, table: TableSpec, loadId: number): Promise<number> {
  const touched = `SELECT DISTINCT slice_id, load_id FROM ${store.table(contentsTable.name)}
    WHERE table_name = ${quoteText(table.name)} AND changed_by > ${loadId} AND load_id <= ${loadId}`
  const [bounds] = await store.rows(
    `SELECT min(load_id) AS low, max(load_id) AS high FROM (${touched})`,
  )
  if (bounds === undefined || bounds['low'] === null) return 0
  // Constant bounds, so that row groups without such loads are passed over.
  const within = `load_id BETWEEN ${String(bounds['low'])} AND ${String(bounds['high'])}`
  const identity = [...table.key, 'slice_id', 'load_id']
    .map((name) => `v.${quoteName(name)} = s.${quoteName(name)}`)
    .join(' AND ')
  const ofTouched = (relation: string, alias: string): string =>
    `(SELECT *, rowid AS row_no FROM ${relation} WHERE ${within}) ${alias}
     SEMI JOIN (${touched}) t ON ${alias}.slice_id = t.slice_id AND ${alias}.load_id = t.load_id`
  return await store.count(
    `DELETE FROM ${inVersion(table.name)} WHERE rowid IN (
       SELECT v.row_no FROM ${ofTouched(inVersion(table.name), 'v')}
       ANTI JOIN (SELECT s.* FROM ${ofTouched(store.table(table.name), 's')}) s ON ${identity})`,
  )
}
