import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stagedUniverse } from '../../activities/fetch-universe.ts'
import { selectorFrom } from '../../activities/selector-from.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { currentVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { readBucketManifest } from '../../sinks/publish-bucket/bucket-manifest.ts'
import { MANIFEST, readManifest } from '../../sinks/publish-parquet/manifest.ts'
import { replayOrder } from '../../sinks/replay/replay-order.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { keptSlices } from '../../stage/kept-slices.ts'
import type { KeptSlice } from '../../stage/kept-slices.ts'
import type { Stage } from '../../stage/open-stage.ts'
import { keptUniverses } from '../../stage/universe-files.ts'
import type { Effects } from '../effects.ts'
import { stageOf } from '../run/stage-of.ts'
import { coinlakeVersion } from '../version.ts'

/** What a restore did. It made no call. */
export interface Restored {
  slices: number
  rows: number
  /** Choices of coins that were made again from their kept listings. */
  universes: string[]
  /** Slices whose answers are not whole any more: the next backfill fetches them. */
  lost: (Slice & { reason: string })[]
  /** Kept answers whose line of facts is damaged: nothing says which slice they answered. */
  unreadable: string[]
}

/**
 * Makes a store that is gone again from the answers that the stage keeps: every slice is parsed and
 * loaded anew in the order in which it was answered, so that provisional points and revisions come out
 * as they were. The store gets its name when it is whole. What only the ledger knew (failed slices,
 * requests that brought nothing, the marks of a verification) is not made again.
 *
 * @throws SinkError STORE_EXISTS, RESTORE_NOTHING
 */
export async function restoreStore(
  effects: Effects,
  config: Config,
  onProgress: (done: number, of: number) => void,
): Promise<Restored> {
  const paths = pathsOf(config)
  if (paths.lake !== null) {
    throw new SinkError(`the store is a lake: ${paths.lake.catalog}`, {
      code: 'RESTORE_LAKE',
      hint: 'restore makes a DuckDB file. Restore the database of the catalog from its backup instead.',
    })
  }
  refuseExisting(paths)
  const unreadable: string[] = []
  const archived = await keptSlices(paths.stageDir, {
    onUnreadable: (path) => unreadable.push(path),
  })
  const known = new Set(datasets.map(({ name }) => name))
  const kept = archived.filter(({ slice }) => known.has(slice.dataset))
  if (kept.length === 0) {
    throw new SinkError(`the stage ${paths.stageDir} keeps no answers to restore from`, {
      code: 'RESTORE_NOTHING',
      hint: 'With `stage.keep: none` nothing is kept. `coinlake backfill` fetches everything again.',
    })
  }
  const temp = `${paths.storeFile}.restoring`
  const { clock } = effects
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const open = () => openStore({ file: temp, tables, datasets, coinlakeVersion, clock })
  await removeRests(temp, open)
  const reasons = new Map<string, string>()
  const stage = stageOf(config, {
    dir: paths.stageDir,
    isArchive: true,
    onDamaged: ({ key, reason }) => reasons.set(key.sliceId, reason),
  })
  const store = await open()
  let restored: Restored
  try {
    await continueLoadNumbers(store, paths)
    restored = await loadKept(store, kept, { stage, reasons }, onProgress)
    restored.universes = await restoreUniverses(store, archived, stage, paths.stageDir)
    restored.unreadable = unreadable
  } finally {
    await store.close()
  }
  refuseExisting(paths)
  await rename(temp, paths.storeFile)
  return restored
}

function refuseExisting({ storeFile }: WarehousePaths): void {
  if (!existsSync(storeFile)) return
  throw new SinkError(`there is a store: ${storeFile}`, {
    code: 'STORE_EXISTS',
    hint: 'restore makes one that is gone. Move it away first, or use `coinlake verify --repair`.',
  })
}

/** Removes what a killed restore left; one that is at work holds its file. @throws SinkError STORE_LOCKED */
async function removeRests(file: string, open: () => Promise<Store>): Promise<void> {
  if (existsSync(file)) {
    try {
      await (await open()).close()
    } catch (error) {
      if (!(error instanceof SinkError) || error.code === 'STORE_LOCKED') throw error
    }
  }
  for (const name of [file, `${file}.wal`]) await rm(name, { force: true })
}

/** Publications remember the load they hold: a new load must not have the number of an old one. */
async function continueLoadNumbers(store: Store, paths: WarehousePaths): Promise<void> {
  const { parquetBucket: bucket } = paths
  const manifest =
    bucket === null
      ? await readManifest(join(paths.parquetLink, MANIFEST))
      : (await readBucketManifest(bucket.place))?.manifest
  const version = await currentVersion(paths.duckdbLink)
  const loads = [...(manifest?.files ?? []), ...(manifest?.vanished ?? [])]
  const last = Math.max(0, version?.facts.load_id ?? 0, ...loads.map((file) => file.load_id))
  if (last === 0) return
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

async function loadKept(
  store: Store,
  kept: readonly KeptSlice[],
  { stage, reasons }: { stage: Stage; reasons: ReadonlyMap<string, string> },
  onProgress: (done: number, of: number) => void,
): Promise<Restored> {
  const restored: Restored = { slices: 0, rows: 0, universes: [], lost: [], unreadable: [] }
  let done = 0
  for (const [number, loads] of replayOrder(kept, datasets).entries()) {
    const run = loads.flat()
    const runId = `restore-${Date.now()}-${number}`
    const startedAtMs = Math.min(...run.map(({ fetchedAtMs }) => fetchedAtMs))
    const facts = { runId, orderId: 'restore', startedAtMs, coinlakeVersion }
    const slices = run.map(({ slice, generation }) => ({ ...slice, generation }))
    await store.writePlan({ ...facts, purpose: 'restore' }, slices)
    let first = 0
    for (const load of loads) {
      const ordinals = load.map((_, index) => first + index)
      const nowMs = Math.max(...load.map(({ fetchedAtMs }) => fetchedAtMs))
      const report = await store.load({ runId, ordinals, nowMs }, stage)
      restored.slices += report.slices
      restored.rows += report.rowsInserted - report.rowsReplaced
      const failures = report.notStaged.map((ordinal) => {
        const { slice, sliceId } = run[ordinal]!
        const reason = reasons.get(sliceId) ?? 'not all of its pages are kept'
        restored.lost.push({ ...slice, reason })
        return { ordinal, code: 'RESTORE_LOST', reason }
      })
      await store.failSlices(runId, failures)
      first += load.length
      done += load.length
      onProgress(done, kept.length)
    }
    const verdict = (await store.failures(runId, 1)).length === 0 ? 'complete' : 'partial'
    await store.finishRun(runId, verdict, Date.now())
  }
  return restored
}

/** The kept choices; of warehouses from before they were kept, the first listing that is still in the stage. */
async function restoreUniverses(
  store: Store,
  archived: readonly KeptSlice[],
  stage: Stage,
  stageDir: string,
): Promise<string[]> {
  const restored: string[] = []
  for (const { selector, coinIds, chosenAtMs } of await keptUniverses(stageDir)) {
    await store.freezeUniverse(selector, coinIds, chosenAtMs)
    restored.push(selector)
  }
  for (const { slice, fetchedAtMs } of archived.filter((one) => one.slice.dataset === 'universe')) {
    const selector = slice.entity
    if (restored.includes(selector)) continue
    const coinIds = await stagedUniverse(stage, selectorFrom(selector), slice.fromMs)
    if (coinIds === null || coinIds.length === 0) continue
    await store.freezeUniverse(selector, coinIds, fetchedAtMs)
    restored.push(selector)
  }
  return restored
}
