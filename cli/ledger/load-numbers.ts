import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { manifestAt } from '../../sinks/publish-delta/delta-manifest.ts'
import { linkedVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { coinlakeVersion } from '../version.ts'
import { RESTORE_HINT } from './lost-store.ts'
import type { LedgerRows } from './open-ledger.ts'

/**
 * Checks that no publication shows a later load than the store. New loads of an older store would repeat load numbers,
 * and publications would take them for published already.
 *
 * @throws SinkError STORE_BEHIND
 */
export async function requireNewestStore(paths: WarehousePaths, ledger: LedgerRows): Promise<void> {
  if (paths.lake !== null) return
  const [published, loaded] = [await lastPublishedLoad(paths), await lastLoad(ledger)]
  if (published.loadId <= loaded) return
  throw new SinkError(
    `the store ${paths.storeFile} ends with load ${loaded}, and ${published.place} shows load ${published.loadId}: it is an older copy`,
    {
      code: 'STORE_BEHIND',
      hint: `${RESTORE_HINT}, and moves this one aside. \`coinlake backfill --afresh\` goes on with it as it is.`,
    },
  )
}

async function lastLoad(ledger: LedgerRows): Promise<number> {
  const [row] = await ledger.rows('SELECT coalesce(max(load_id), 0) AS load_id FROM _loads')
  return Number(row?.['load_id'] ?? 0)
}

/** The newest published load and its place; with `withBucket`, buckets are asked too. */
async function lastPublishedLoad(
  { duckdbLink, parquetLink, parquetBucket: bucket }: WarehousePaths,
  { withBucket }: { withBucket: boolean } = { withBucket: false },
): Promise<{ loadId: number; place: string }> {
  const place = bucket?.place ?? parquetLink
  const manifest = bucket === null || withBucket ? await manifestAt(place) : null
  const version = await linkedVersion(duckdbLink)
  const inTree = [...(manifest?.files ?? []), ...(manifest?.vanished ?? [])]
  const treeLoad = Math.max(0, ...inTree.map((file) => file.load_id))
  const fileLoad = version?.facts.load_id ?? 0
  return fileLoad >= treeLoad
    ? { loadId: fileLoad, place: duckdbLink }
    : { loadId: treeLoad, place }
}

/** Makes new loads continue after the published ones, because a load must not have the number of an old one. */
export async function continueLoadNumbers(store: Store, paths: WarehousePaths): Promise<void> {
  const { loadId: last } = await lastPublishedLoad(paths, { withBucket: true })
  if (last <= (await lastLoad({ rows: (sql) => store.query(sql) }))) return
  const connection = await store.connect()
  try {
    await connection.run(
      `INSERT INTO _loads BY NAME SELECT ${last} AS load_id, 'restore' AS run_id, now() AS loaded_at,
         0 AS slices, 0 AS rows_inserted, 0 AS rows_replaced, 0 AS rows_revised, 0 AS rows_duplicate,
         0 AS rows_quarantined, '${coinlakeVersion}' AS coinlake_version`,
    )
  } finally {
    connection.closeSync()
  }
}
