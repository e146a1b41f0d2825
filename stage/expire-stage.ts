import { basename } from 'node:path'
import { PAGE_FOLDERS, pageAt, sliceName } from './page-path.ts'
import type { SharedFile, SharedFiles } from './shared-files.ts'

/** After this time nobody needs pages that no run loaded, or damaged ones. Their plan has been made again since. */
const ABANDONED_AFTER_MS = 30 * 86_400_000
/** Time between two expiries. Daily runs are not a day apart to the second. */
const DAILY_MS = 23 * 3_600_000

export interface Outlived {
  /** A loaded answer, an answer that no run loaded, or a damaged page. */
  why: 'kept_long_enough' | 'abandoned' | 'damaged'
  /** Path of a file, or address of an object. */
  path: string
  sizeBytes: number
}

export interface ExpireOptions {
  /** true: counts the files and removes none. */
  isDryRun?: boolean
  onOutlived?: (outlived: Outlived) => void
}

export type KnownState = 'loaded' | 'failed' | 'planned'

/** Slices of the ledger with these first digits of the id. `<slice>-g<generation>` -> how far any run came. */
export type KnownSlices = (digits: string) => Promise<ReadonlyMap<string, KnownState>>

export interface StagePlace {
  /** A folder (absolute, made with the first page) or `s3://bucket/prefix`. */
  dir: string
  /** How long answers stay after their load, in ms. */
  keep: 'forever' | 'none' | number
  /** The id of this warehouse, where others use the place, too. Answers that its ledger has not loaded may be theirs. */
  sharedBy?: string | undefined
}

/**
 * Removes loaded answers older than `keep`, and answers that no run loaded for a month. Answers unknown to the ledger
 * may be the rest of a lost store. They stay as long as loaded ones, at least a month. A shared place keeps all answers
 * that are not loaded. Files of other names stay. Ages go by the machine's clock, as the times of the file system do.
 */
export async function expireStage(
  files: SharedFiles,
  { dir, keep, sharedBy }: StagePlace,
  ledger: KnownSlices,
  { isDryRun = false, onOutlived }: ExpireOptions = {},
): Promise<void> {
  const nowMs = Date.now()
  const keptMs = keptForMs(keep)
  const isOlder = (file: SharedFile, maxAgeMs: number) => nowMs - file.modifiedMs > maxAgeMs
  const remove = async (outlived: readonly SharedFile[], why: Outlived['why']): Promise<void> => {
    for (const { name, sizeBytes } of outlived)
      onOutlived?.({ why, path: `${dir}/${name}`, sizeBytes })
    if (!isDryRun) await files.remove(outlived.map(({ name }) => name))
  }
  for (const folder of PAGE_FOLDERS) {
    const found = (await files.listDeep(folder)).filter(({ name }) => sliceAt(name) !== null)
    const old = found.filter((file) => isOlder(file, Math.min(keptMs, ABANDONED_AFTER_MS)))
    if (old.length === 0) continue
    const known = await ledger(basename(folder))
    const stateOf = ({ name }: SharedFile) => known.get(sliceAt(name) ?? '')
    await remove(
      old.filter((file) => stateOf(file) === 'loaded' && isOlder(file, keptMs)),
      'kept_long_enough',
    )
    if (sharedBy !== undefined) continue
    const unknownMs = Math.max(keptMs, ABANDONED_AFTER_MS)
    const abandoned = old.filter((file) => {
      const state = stateOf(file)
      return state !== 'loaded' && isOlder(file, state ? ABANDONED_AFTER_MS : unknownMs)
    })
    await remove(abandoned, 'abandoned')
  }
  const damaged = await files.listDeep('damaged')
  await remove(
    damaged.filter((file) => isOlder(file, ABANDONED_AFTER_MS)),
    'damaged',
  )
}

/** Removes outlived files unless that was done within a day with the same `keep`. */
export async function expireDaily(
  files: SharedFiles,
  place: StagePlace,
  ledger: KnownSlices,
): Promise<void> {
  const content = JSON.stringify({ keep: place.keep })
  const noteFile = `expiry/last${place.sharedBy === undefined ? '' : `-${place.sharedBy}`}.json`
  const note = (await files.list('expiry')).find(({ name }) => name === noteFile)
  const isRecent = note !== undefined && Math.abs(Date.now() - note.modifiedMs) < DAILY_MS
  if (isRecent && (await files.read(noteFile))?.toString('utf8') === content) return
  await expireStage(files, place, ledger)
  await files.write(noteFile, content)
}

/** The slice of the page in a file; null: another file. */
function sliceAt(name: string): string | null {
  const key = pageAt(name)
  return key === null ? null : sliceName(key)
}

function keptForMs(keep: StagePlace['keep']): number {
  if (keep === 'forever') return Infinity
  return keep === 'none' ? 0 : keep
}
