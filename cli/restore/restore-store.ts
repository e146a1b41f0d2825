import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stagedUniverse } from '../../activities/fetch/fetch-universe.ts'
import { selectorFrom } from '../../activities/plan/selector-from.ts'
import type { Config } from '../../config/config.ts'
import { hasOwnStage, pathsOf } from '../../config/warehouse-paths.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { knownSlices } from '../../sinks/ledger/known-slices.ts'
import { linkedVersion, versionAt } from '../../sinks/publish-duckdb/version-facts.ts'
import { cutIntoRuns } from '../../sinks/replay/cut-into-runs.ts'
import { SinkError, WarehouseBusyError } from '../../sinks/sink-error.ts'
import { copyAnswers } from '../../stage/copy-answers.ts'
import { keptSlices, type KeptSlice } from '../../stage/kept-slices.ts'
import type { Stage } from '../../stage/open-stage.ts'
import { keptUniverses } from '../../stage/universe-files.ts'
import { backupPaths, isWithin, readBackup } from '../backup/backup-record.ts'
import { say, type Effects } from '../effects.ts'
import { continueLoadNumbers } from '../ledger/load-numbers.ts'
import { openStoreAt } from '../ledger/store-of.ts'
import { counted } from '../render/quantities.ts'
import { makeFolders } from '../run/open-warehouse.ts'
import { openConfiguredStage } from '../run/open-configured-stage.ts'
import { livingWorker } from '../run/worker-claim.ts'
import { coinlakeVersion } from '../version.ts'
import { copyPublished, removeLeftovers, type PublishedStart } from './copy-published.ts'
import { ownSliceTest } from './own-slice-test.ts'
import { putInPlace, refuseSoundStore, requireWritten, moveAllAside } from './replace-store.ts'
import { withOpen } from '../run/closing-after.ts'

export interface Restored {
  /** null = no published file is sound. */
  published: PublishedStart | null
  /** The moment of the named backup; null = none was named. */
  at: string | null
  /** The new place of the replaced store or warehouse; null = there was none. */
  movedTo: string | null
  slices: number
  rows: number
  /** Choices of coins rebuilt from kept listings. */
  universes: string[]
  /** Slices with incomplete answers, which the next backfill fetches. */
  lost: (Slice & { reason: string })[]
  /** Kept answers with damaged facts, so that their slices are not known. */
  unreadable: string[]
}

type LoadedSlices = Pick<Restored, 'slices' | 'rows' | 'lost'>

interface RestoreOptions {
  /** The folder of a backup; null = the warehouse alone. */
  dir: string | null
  /** Whether only the backup counts, and the warehouse's own files move aside. */
  isReplacing: boolean
}

/**
 * Rebuilds a store that is gone, damaged or an old copy: copies the published file, and loads the kept answers that this
 * file's ledger lacks. A backup supplies missing files, or all. The complete store gets its name last.
 *
 * Without a sound published file it loads all kept slices, in the order of their answers. So provisional points and
 * revisions come out as they were. Facts of the ledger alone (failed slices, failed requests) are lost then.
 *
 * @throws SinkError STORE_LOCKED, STORE_EXISTS, RESTORE_NOTHING, RESTORE_UNWRITTEN; ConfigError for no backup
 */
export async function restoreStore(
  effects: Effects,
  config: Config,
  { dir, isReplacing }: RestoreOptions,
): Promise<Restored> {
  const paths = pathsOf(config)
  if (paths.lake !== null) {
    throw new SinkError(`the store is a lake: ${paths.lake.catalog}`, {
      code: 'RESTORE_LAKE',
      hint: 'restore makes a DuckDB file. Restore the database of the catalog from its backup instead.',
    })
  }
  const worker = livingWorker(config.warehouseDir)
  if (worker !== null) {
    throw new WarehouseBusyError(`process ${worker.pid} works on the warehouse ${paths.root}`, {
      code: 'STORE_LOCKED',
      hint: `Stop process ${worker.pid}, then run the same command again.`,
    })
  }
  const { clock } = effects
  const backup = dir === null ? null : { ...(await readBackup(dir)), ...backupPaths(dir) }
  if (dir !== null && existsSync(paths.root) && isWithin(paths.root, dir)) {
    throw new SinkError(`the backup ${dir} lies in the warehouse ${paths.root}`, {
      code: 'BACKUP_IN_WAREHOUSE',
      hint: 'Move the backup out of the warehouse, or set `warehouse:` to another folder: restore moves files of the warehouse aside.',
    })
  }
  await refuseSoundStore(paths, clock, isReplacing)
  await makeFolders(paths)
  const temp = `${paths.storeFile}.restoring`
  await removeLeftovers(temp, clock)
  const versions = [
    isReplacing ? null : await linkedVersion(paths.duckdbLink),
    typeof backup?.file === 'string' ? await versionAt(join(backup.duckdbDir, backup.file)) : null,
  ]
  const published = await copyPublished(versions, temp, clock)
  if (typeof backup?.file === 'string' && published === null) {
    throw new SinkError(`the file ${backup.file} of the backup ${dir} is missing or not whole`, {
      code: 'BACKUP_DAMAGED',
      hint: 'Nothing was changed. Restore that file and its .json, or use another copy of the backup.',
    })
  }
  const unreadable: string[] = []
  if (backup !== null && !isReplacing) {
    unreadable.push(...(await copyAnswers(backup.stageDir, paths.stageDir)).damaged)
  }
  const stageDir = backup !== null && isReplacing ? backup.stageDir : paths.stageDir
  const names = new Set(datasets.map(({ name }) => name))
  const isKnown = ({ slice }: KeptSlice): boolean => names.has(slice.dataset)
  const onUnreadable = (path: string): unknown => unreadable.push(path)
  // Without a published file the ledger is empty, so every answer counts.
  const all = published === null ? await keptSlices(stageDir, { onUnreadable }) : null
  if (all?.some(isKnown) === false) {
    throw new SinkError(
      `the stage ${stageDir} keeps no answers to restore from, and no published file is whole`,
      {
        code: 'RESTORE_NOTHING',
        hint: 'Put back a copy of the store, or move its remains away: `coinlake backfill --afresh` fetches everything again.',
      },
    )
  }
  const reasons = new Map<string, string>()
  const stage = openConfiguredStage(config, {
    dir: stageDir,
    isArchive: true,
    onDamaged: ({ key, reason }) => reasons.set(key.sliceId, reason),
  })
  const loaded = await withOpen(openStoreAt(temp, clock), async (store) => {
    await continueLoadNumbers(store, paths)
    const ledger = knownSlices(store.query)
    const archived = all ?? (await keptSlices(stageDir, { onUnreadable, ledger }))
    const isOwn = hasOwnStage(paths) ? () => true : await ownSliceTest(store.query)
    // A slice in flight is left to the next backfill, with its pages.
    const missing = archived.filter(
      (one) => isKnown(one) && isOwn(one.slice) && (one.isWhole || !one.isPlanned),
    )
    const slices = await loadKept(store, missing, { stage, reasons }, (done) => {
      if (effects.isLive) say(effects, `${done} of ${counted(missing.length, 'slice')}`)
    })
    return { ...slices, universes: await restoreUniverses(store, archived, stage, stageDir) }
  })
  let movedTo: string | null
  if (backup !== null && isReplacing) {
    requireWritten(temp)
    // A worker may have begun meanwhile.
    await refuseSoundStore(paths, clock, isReplacing)
    movedTo = await moveAllAside(paths)
    await putInPlace(temp, paths.storeFile)
    await copyAnswers(backup.stageDir, paths.stageDir)
  } else {
    movedTo = await putInPlace(temp, paths.storeFile)
  }
  return { published, at: backup?.at ?? null, movedTo, ...loaded, unreadable }
}

async function loadKept(
  store: Store,
  kept: readonly KeptSlice[],
  { stage, reasons }: { stage: Stage; reasons: ReadonlyMap<string, string> },
  onProgress: (done: number) => void,
): Promise<LoadedSlices> {
  const restored: LoadedSlices = { slices: 0, rows: 0, lost: [] }
  let done = 0
  for (const [number, loads] of cutIntoRuns(kept, datasets).entries()) {
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
      onProgress(done)
    }
    const verdict = (await store.failures(runId, 1)).length === 0 ? 'complete' : 'partial'
    await store.finishRun(runId, verdict, Date.now())
  }
  return restored
}

/** Restores the kept choices of coins. An older warehouse has none; there the first staged listing chooses. */
async function restoreUniverses(
  store: Store,
  archived: readonly KeptSlice[],
  stage: Stage,
  stageDir: string,
): Promise<string[]> {
  const restored: string[] = []
  for (const { selector, coinIds, chosenAtMs } of await keptUniverses(stageDir)) {
    if ((await store.universe(selector)) !== null) continue
    await store.freezeUniverse(selector, coinIds, chosenAtMs)
    restored.push(selector)
  }
  for (const { slice, fetchedAtMs } of archived.filter((one) => one.slice.dataset === 'universe')) {
    const selector = slice.entity
    if ((await store.universe(selector)) !== null) continue
    const coinIds = await stagedUniverse(stage, selectorFrom(selector), slice.fromMs)
    if (coinIds === null || coinIds.length === 0) continue
    await store.freezeUniverse(selector, coinIds, fetchedAtMs)
    restored.push(selector)
  }
  return restored
}
