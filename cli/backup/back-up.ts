import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sweepTemp } from '../../config/atomic-file.ts'
import type { Config } from '../../config/config.ts'
import { hasOwnStage, pathsOf } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { lockHolder, releaseLock, takeLock } from '../../engine/pid-lock.ts'
import { knownSlices } from '../../sinks/ledger/known-slices.ts'
import { foundVersion, versionAt } from '../../sinks/publish-duckdb/version-facts.ts'
import type { FoundVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { publishError } from '../../sinks/publish/publish-error.ts'
import { SinkError, WarehouseBusyError } from '../../sinks/sink-error.ts'
import { copyAnswers } from '../../stage/copy-answers.ts'
import type { CopiedAnswers } from '../../stage/copy-answers.ts'
import { expireStage } from '../../stage/expire-stage.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import type { Effects } from '../effects.ts'
import { goneStore } from '../ledger/lost-store.ts'
import { hasStore } from '../ledger/store-of.ts'
import { ownSeries } from '../restore/own-series.ts'
import { coinlakeVersion } from '../version.ts'
import { backupPaths, openBackup, writeRecord } from './backup-record.ts'
import type { BackupRecord } from './backup-record.ts'
import { copyStore, copyVersion } from './copy-store.ts'
import { ofFile, verifiedCopy } from './verified-copy.ts'

/** The state of a backup after this. */
export interface BackedUp extends CopiedAnswers {
  dir: string
  /** The moment that a restore comes to. */
  at: string
  /** The file in it; null = the answers alone. */
  file: string | null
  /** When that was a copy of the store. */
  publishedAt: string | null
  rows: number
  /** Whether this backup brought that file. */
  isNewFile: boolean
  /** Why the store was not asked; null = it was. */
  shut: string | null
}

/**
 * Backs a warehouse up into a folder: the newest copy of its store, and the answers kept up to this moment, from which
 * `restore` loads what that copy lacks. Where a worker holds the store the copy is the published file, so that
 * nobody waits for a backup; else one is made where none shows the store as it is. The record is written last: until then
 * the folder is the backup of before.
 *
 * @throws SinkError BACKUP_LAKE, BACKUP_HELD, BACKUP_NOTHING, BACKUP_DAMAGED, STORE_GONE, STORE_BEHIND and what refuses the folder
 */
export async function backUp(effects: Effects, config: Config, dir: string): Promise<BackedUp> {
  const paths = pathsOf(config)
  if (paths.lake !== null) {
    throw new SinkError(`the store is a lake: ${paths.lake.catalog}`, {
      code: 'BACKUP_LAKE',
      hint: 'Back up the database of its catalog first, then its bucket: files that a lake has written never change.',
    })
  }
  if (!hasStore(paths)) throw goneStore(paths) ?? noWarehouse(paths)
  try {
    await openBackup(dir, paths)
    const lock = join(dir, 'backup.lock')
    if (!mayWork(lock)) {
      throw new WarehouseBusyError(`process ${lockHolder(lock)?.pid ?? '?'} backs up to ${dir}`, {
        code: 'BACKUP_HELD',
        hint: 'Wait for it to end, or name another folder.',
      })
    }
    try {
      return await inFolder(effects, config, paths, { dir, record: await openBackup(dir, paths) })
    } finally {
      releaseLock(lock)
    }
  } catch (error) {
    throw publishError(error, dir, 'the backup to')
  }
}

/** A file system without links (exFAT) has no locks either. */
function mayWork(lock: string): boolean {
  try {
    return takeLock(lock)
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'ENOSYS'].includes(String((error as NodeJS.ErrnoException).code))) {
      return true
    }
    throw error
  }
}

async function inFolder(
  effects: Effects,
  config: Config,
  paths: WarehousePaths,
  { dir, record }: { dir: string; record: BackupRecord },
): Promise<BackedUp> {
  const { duckdbDir, stageDir } = backupPaths(dir)
  await sweepTemp(join(stageDir, 'tmp'))
  // Files of killed backups: more of them would push the valid one out of the kept versions.
  await removeOthers(duckdbDir, record.file)
  const found = record.file === null ? null : await versionAt(join(duckdbDir, record.file))
  const published = await foundVersion(paths.duckdbLink)
  const chooseFrom = async (versions: readonly (FoundVersion | null)[]) => {
    const shown = versions
      .filter((one) => one !== null)
      .filter(({ facts }) => !('sorted_load_id' in facts))
    const { shut, made } = await copyStore(effects, paths, duckdbDir, shown)
    return { shut, newest: made ?? shown.reduce<FoundVersion | null>(newer, null) }
  }
  let chosen = await chooseFrom([found, published])
  // A file that has rotted there counts as none: the copy is made again. One that is replaced need not be read.
  const isRotten = chosen.newest === found && found !== null && !(await isWhole(paths, found))
  if (isRotten) chosen = await chooseFrom([published])
  const { shut, newest } = chosen
  const isNewFile = newest !== null && newest !== found
  const file = newest === null ? null : join(duckdbDir, basename(newest.file))
  if (isNewFile && newest.file !== file) await copyVersion(newest, file!)
  // From here on the file is one moment, and the answers up to now bring it to another.
  const at = new Date()
  const series = hasOwnStage(paths) ? null : await ofFile(paths, file, ownSeries)
  const publishedAt =
    file === null ? null : isNewFile ? await verifiedCopy(paths, file) : record.publishedAt
  const choice = {
    untilMs: at.getTime(),
    mayReplace: true,
    ...(series !== null && { isOwn: series }),
  }
  const copied = await copyAnswers(paths.stageDir, stageDir, choice)
  if (file === null && (copied.kept + copied.added === 0 || config.stage.keep !== 'forever')) {
    throw new WarehouseBusyError(`nothing is published that could be backed up: ${shut?.message}`, {
      code: 'BACKUP_NOTHING',
      hint: 'Wait for the first publication (`publish.every`), or for the run to end; with `sinks: [parquet]` stop the worker for the backup.',
    })
  }
  const name = file === null ? null : basename(file)
  const fileMs = newest?.facts.written_at_ms ?? 0
  const isOfStore = shut === null
  const reachedMs = momentOf({ atMs: at.getTime(), fileMs, isOfStore, keep: config.stage.keep })
  const reached = new Date(reachedMs).toISOString()
  const facts = { coinlakeVersion, at: reached, file: name, publishedAt }
  await writeRecord(dir, { ...record, ...facts })
  await removeOthers(duckdbDir, name)
  await expire(config, paths, stageDir, file)
  const rows = newest?.facts.rows ?? 0
  return { ...copied, dir, ...facts, rows, isNewFile, shut: shut?.message ?? null }
}

async function isWhole(
  paths: WarehousePaths,
  { file, facts, sizeBytes }: FoundVersion,
): Promise<boolean> {
  if (sizeBytes !== facts.size_bytes) return false
  return await verifiedCopy(paths, file).then(
    () => true,
    (error: unknown) => {
      if (error instanceof SinkError && error.code === 'BACKUP_DAMAGED') return false
      throw error
    },
  )
}

function newer(a: FoundVersion | null, b: FoundVersion): FoundVersion {
  return a !== null && a.facts.written_at_ms >= b.facts.written_at_ms ? a : b
}

/**
 * The moment that a restore comes to, epoch ms: that of the backup, where its file shows the store as it is or no answer
 * has gone since that file; else that of the file.
 */
export function momentOf({
  atMs,
  fileMs,
  isOfStore,
  keep,
}: {
  atMs: number
  fileMs: number
  isOfStore: boolean
  keep: Config['stage']['keep']
}): number {
  const isKept = keep === 'forever' || (keep !== 'none' && atMs - fileMs < keep)
  return isOfStore || isKept ? atMs : fileMs
}

/** Answers leave the backup by `stage.keep`, too. */
async function expire(
  { stage: { keep } }: Config,
  paths: WarehousePaths,
  dir: string,
  file: string | null,
): Promise<void> {
  if (keep === 'forever') return
  await ofFile(paths, file, (rows) =>
    expireStage(sharedFiles(dir), { dir, keep }, knownSlices(rows)),
  )
}

async function removeOthers(dir: string, file: string | null): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const isOwn = name.startsWith('coinlake-')
    if (isOwn && (file === null || !name.startsWith(file)))
      await rm(join(dir, name), { force: true })
  }
}

function noWarehouse({ root }: WarehousePaths): SinkError {
  return new SinkError(`there is no warehouse in ${root}`, {
    code: 'NO_WAREHOUSE',
    hint: 'Run `coinlake backfill` first, or name another one with --warehouse.',
  })
}
