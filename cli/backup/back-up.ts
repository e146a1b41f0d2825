import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sweepTemp } from '../../config/atomic-file.ts'
import type { Config } from '../../config/config.ts'
import { hasOwnStage, pathsOf, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { lockHolder, releaseLock, takeLock } from '../../engine/pid-lock.ts'
import { knownSlices } from '../../sinks/ledger/known-slices.ts'
import { linkedVersion, versionAt } from '../../sinks/publish-duckdb/version-facts.ts'
import type { FoundVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { publishError } from '../../sinks/publish/publish-error.ts'
import { SinkError, WarehouseBusyError } from '../../sinks/sink-error.ts'
import { copyAnswers, type CopiedAnswers } from '../../stage/copy-answers.ts'
import { expireStage } from '../../stage/expire-stage.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import type { Effects } from '../effects.ts'
import { goneStoreError, noWarehouseError } from '../ledger/lost-store.ts'
import { hasStore } from '../ledger/store-of.ts'
import { ownSliceTest } from '../restore/own-slice-test.ts'
import { coinlakeVersion } from '../version.ts'
import { backupPaths, openBackup, writeRecord, type BackupRecord } from './backup-record.ts'
import { copyStore, copyVersion } from './copy-store.ts'
import { withLedgerOf, verifyCopy } from './verify-copy.ts'

export interface BackedUp extends CopiedAnswers, Pick<BackupRecord, 'file' | 'publishedAt'> {
  dir: string
  at: string
  rows: number
  /** Whether this backup copied the file. */
  isNewFile: boolean
  /** The reason why the store could not be read; null = it was read. */
  shut: string | null
}

/**
 * Backs a warehouse up into a folder: the newest copy of its store, and the answers kept up to now. `restore` loads the
 * rows that the copy lacks from the answers. While a worker holds the store, the copy is the published file, so nobody
 * waits for a backup. Otherwise a copy is made, unless a version equals the store.
 *
 * @throws SinkError BACKUP_LAKE, BACKUP_HELD, BACKUP_NOTHING, BACKUP_DAMAGED, STORE_GONE, STORE_BEHIND; errors of the
 *   folder
 */
export async function backUp(effects: Effects, config: Config, dir: string): Promise<BackedUp> {
  const paths = pathsOf(config)
  if (paths.lake !== null) {
    throw new SinkError(`the store is a lake: ${paths.lake.catalog}`, {
      code: 'BACKUP_LAKE',
      hint: 'Back up the database of its catalog first, then its bucket: files that a lake has written never change.',
    })
  }
  if (!hasStore(paths)) throw goneStoreError(paths) ?? noWarehouseError(paths)
  try {
    await openBackup(dir, paths)
    const lock = join(dir, 'backup.lock')
    if (!takeBackupLock(lock)) {
      throw new WarehouseBusyError(`process ${lockHolder(lock)?.pid ?? '?'} backs up to ${dir}`, {
        code: 'BACKUP_HELD',
        hint: 'Wait for it to end, or name another folder.',
      })
    }
    try {
      return await backUpInto(effects, config, paths, { dir, record: await openBackup(dir, paths) })
    } finally {
      releaseLock(lock)
    }
  } catch (error) {
    throw publishError(error, dir, 'the backup to')
  }
}

/** A file system without links (exFAT) has no locks, and a backup there needs none. */
function takeBackupLock(lock: string): boolean {
  try {
    return takeLock(lock)
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'ENOSYS'].includes(String((error as NodeJS.ErrnoException).code))) {
      return true
    }
    throw error
  }
}

async function backUpInto(
  effects: Effects,
  { stage: { keep } }: Config,
  paths: WarehousePaths,
  { dir, record }: { dir: string; record: BackupRecord },
): Promise<BackedUp> {
  const { duckdbDir, stageDir } = backupPaths(dir)
  await sweepTemp(join(stageDir, 'tmp'))
  // Files of killed backups would push the valid one out of the kept versions.
  await removeOtherFiles(duckdbDir, record.file)
  const found = record.file === null ? null : await versionAt(join(duckdbDir, record.file))
  const published = await linkedVersion(paths.duckdbLink)
  const chooseFrom = async (versions: readonly (FoundVersion | null)[]) => {
    const shown = versions
      .filter((one) => one !== null)
      .filter(({ facts }) => !('sorted_load_id' in facts))
    const { shut, made } = await copyStore(effects, paths, duckdbDir, shown)
    const [newest = null] = shown.toSorted((a, b) => b.facts.written_at_ms - a.facts.written_at_ms)
    return { shut, newest: made ?? newest }
  }
  let chosen = await chooseFrom([found, published])
  // The earlier copy is checked only if it stays; a new one is checked below.
  const isRotten = chosen.newest === found && found !== null && !(await isWhole(paths, found))
  if (isRotten) chosen = await chooseFrom([published])
  const { shut, newest } = chosen
  const isNewFile = newest !== null && newest !== found
  const file = newest === null ? null : join(duckdbDir, basename(newest.file))
  if (isNewFile && newest.file !== file) await copyVersion(newest, file!)
  // The file may be older than this moment: a restore loads the rest from the answers up to it.
  const at = new Date()
  const isOwn = hasOwnStage(paths) ? null : await withLedgerOf(paths, file, ownSliceTest)
  const publishedAt =
    file === null ? null : isNewFile ? await verifyCopy(paths, file) : record.publishedAt
  const choice = {
    untilMs: at.getTime(),
    mayReplace: true,
    ...(isOwn !== null && { mayCopy: isOwn }),
  }
  const copied = await copyAnswers(paths.stageDir, stageDir, choice)
  if (file === null && (copied.kept + copied.added === 0 || keep !== 'forever')) {
    throw new WarehouseBusyError(`nothing is published that could be backed up: ${shut?.message}`, {
      code: 'BACKUP_NOTHING',
      hint: 'Wait for the first publication (`publish.every`), or for the run to end; with `sinks: [parquet]` stop the worker for the backup.',
    })
  }
  const name = file === null ? null : basename(file)
  const reachedMs = restoredMomentMs(keep, {
    atMs: at.getTime(),
    fileMs: newest?.facts.written_at_ms ?? 0,
    equalsStore: shut === null,
  })
  const reached = new Date(reachedMs).toISOString()
  const facts = { coinlakeVersion, at: reached, file: name, publishedAt }
  await writeRecord(dir, { ...record, ...facts })
  await removeOtherFiles(duckdbDir, name)
  if (keep !== 'forever') {
    await withLedgerOf(paths, file, (rows) =>
      expireStage(sharedFiles(stageDir), { dir: stageDir, keep }, knownSlices(rows)),
    )
  }
  const rows = newest?.facts.rows ?? 0
  return { ...copied, dir, ...facts, rows, isNewFile, shut: shut?.message ?? null }
}

async function isWhole(
  paths: WarehousePaths,
  { file, facts, sizeBytes }: FoundVersion,
): Promise<boolean> {
  if (sizeBytes !== facts.size_bytes) return false
  return await verifyCopy(paths, file).then(
    () => true,
    (error: unknown) => {
      if (error instanceof SinkError && error.code === 'BACKUP_DAMAGED') return false
      throw error
    },
  )
}

/**
 * The moment to which a restore leads, epoch ms. This is the backup's own when its file equals the store, or when no
 * answer has expired since that file. Otherwise it is the file's.
 */
export function restoredMomentMs(
  keep: Config['stage']['keep'],
  { atMs, fileMs, equalsStore }: { atMs: number; fileMs: number; equalsStore: boolean },
): number {
  const isKept = keep === 'forever' || (keep !== 'none' && atMs - fileMs < keep)
  return equalsStore || isKept ? atMs : fileMs
}

async function removeOtherFiles(dir: string, file: string | null): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const isOwn = name.startsWith('coinlake-')
    if (isOwn && (file === null || !name.startsWith(file)))
      await rm(join(dir, name), { force: true })
  }
}
