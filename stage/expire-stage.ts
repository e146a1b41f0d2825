import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ignoreMissing,
  namesAmong,
  namesIn,
  namesNow,
  pagesAmong,
  readIfThere,
  removeIfEmpty,
} from './page-files.ts'
import { decodeRecord } from './page-record.ts'
import type { PageKey } from './page-stage.ts'

/**
 * Pages that nobody loaded (their run was cancelled), rests of killed writers and damaged pages are
 * of no use after this time: the plan that wanted them has been made again since.
 */
export const ABANDONED_AFTER_MS = 30 * 86_400_000
/** What has outlived its time, and why it goes. */
export interface Outlived {
  /** An answer that was loaded, one that nobody loaded, or what was moved aside as damaged. */
  why: 'kept_long_enough' | 'abandoned' | 'damaged'
  /** Of a file, or the address of an object. */
  path: string
  sizeBytes: number
}

export interface ExpireOptions {
  /** Only tells; nothing is changed. */
  isDryRun?: boolean
  /** Told of every file. */
  onOutlived?: (outlived: Outlived) => void
}

const SLICE_FOLDER = /^([0-9a-f]{20})-g(\d+)$/

/**
 * Removes raw bodies that have outlived `keep` and what was abandoned; returns how many pages. Walks
 * the whole stage, so once a run is enough. Only names that are ours are ever removed. A page's age
 * counts from its request, by the clock that `nowMs` comes from.
 *
 * @param release lets go of the pages of a slice if it is loaded: a run that was lost between its load
 *   and the release has left them
 */
export async function expireStage(
  dir: string,
  keep: 'forever' | 'none' | number,
  nowMs: number,
  release: (slice: Pick<PageKey, 'sliceId' | 'generation'>) => Promise<void>,
  { isDryRun = false, onOutlived }: ExpireOptions = {},
): Promise<number> {
  let removed = 0
  const remove = async (path: string, why: Outlived['why']): Promise<void> => {
    onOutlived?.({ why, path, sizeBytes: await sizeOf(path) })
    if (!isDryRun) await rm(path, { recursive: true })
  }
  for (const digits of await namesIn(join(dir, 'pages'))) {
    const group = join(dir, 'pages', digits)
    for (const name of await namesIn(group)) {
      const [, sliceId, generation] = SLICE_FOLDER.exec(name) ?? []
      if (sliceId === undefined) continue
      const folder = join(group, name)
      const slice = { sliceId, generation: Number(generation) }
      let names = namesNow(folder)
      if (!isDryRun && names.some(isUnreleased)) {
        await release(slice)
        names = namesNow(folder)
      }
      let left = names.length
      for (const key of pagesAmong(names, slice)) {
        const files = namesAmong(names, key)
        if (!(await isOutlived(folder, files[0] ?? '', key, keep, nowMs))) continue
        const isLoaded = files[0]?.endsWith('.loaded.json') === true
        const why = isLoaded ? 'kept_long_enough' : 'abandoned'
        for (const file of files) await remove(join(folder, file), why)
        left -= files.length
        removed++
      }
      if (!isDryRun && left === 0) await removeIfEmpty(folder, group)
    }
  }
  for (const name of await namesIn(join(dir, 'damaged'))) {
    const path = join(dir, 'damaged', name)
    if ((await fileAgeMs(path)) > ABANDONED_AFTER_MS) await remove(path, 'damaged')
  }
  return removed
}

/** Of a file, or of all files in a folder. */
async function sizeOf(path: string): Promise<number> {
  const facts = await stat(path).catch(ignoreMissing)
  if (facts === undefined || !facts.isDirectory()) return facts?.size ?? 0
  let sum = 0
  for (const name of await namesIn(path)) sum += await sizeOf(join(path, name))
  return sum
}

/** A record of a page that waits, or its rows. */
function isUnreleased(name: string): boolean {
  return name.endsWith('.arrow') || (name.endsWith('.json') && !name.endsWith('.loaded.json'))
}

async function isOutlived(
  folder: string,
  record: string,
  key: PageKey,
  keep: 'forever' | 'none' | number,
  nowMs: number,
): Promise<boolean> {
  const path = join(folder, record)
  const isLoaded = record.endsWith('.loaded.json')
  if (isLoaded && keep === 'forever') return false
  const page = decodeRecord((await readIfThere(path))?.toString('utf8') ?? '', key)
  const agedMs = typeof page === 'string' ? await fileAgeMs(path) : nowMs - page.requestedAtMs
  if (!isLoaded) return agedMs > ABANDONED_AFTER_MS
  return keep === 'none' || agedMs > Number(keep)
}

/** File times come from the machine, so they are held against its clock and not against an injected one. */
async function fileAgeMs(path: string): Promise<number> {
  const facts = await stat(path).catch(ignoreMissing)
  return facts === undefined ? 0 : Date.now() - facts.mtimeMs
}
