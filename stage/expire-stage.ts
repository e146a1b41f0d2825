import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ignoreMissing,
  namesIn,
  namesOfPage,
  pagesIn,
  readIfThere,
  removeIfEmpty,
} from './page-files.ts'
import { decodeRecord } from './page-record.ts'
import type { PageKey } from './page-stage.ts'

/**
 * Pages that nobody loaded (their run was cancelled), rests of killed writers and damaged pages are
 * of no use after this time: the plan that wanted them has been made again since.
 */
const ABANDONED_AFTER_MS = 30 * 86_400_000
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
): Promise<number> {
  let removed = 0
  for (const digits of await namesIn(join(dir, 'pages'))) {
    const group = join(dir, 'pages', digits)
    for (const name of await namesIn(group)) {
      const [, sliceId, generation] = SLICE_FOLDER.exec(name) ?? []
      if (sliceId === undefined) continue
      const folder = join(group, name)
      const slice = { sliceId, generation: Number(generation) }
      if ((await namesIn(folder)).some(isUnreleased)) await release(slice)
      for (const key of await pagesIn(folder, slice)) {
        if (await isOutlived(folder, key, keep, nowMs)) {
          for (const file of await namesOfPage(folder, key)) await rm(join(folder, file))
          removed++
        }
      }
      await removeIfEmpty(folder, group)
    }
  }
  for (const name of await namesIn(join(dir, 'damaged'))) {
    const path = join(dir, 'damaged', name)
    if ((await fileAgeMs(path)) > ABANDONED_AFTER_MS) await rm(path, { recursive: true })
  }
  return removed
}

/** A record of a page that waits, or its rows. */
function isUnreleased(name: string): boolean {
  return name.endsWith('.arrow') || (name.endsWith('.json') && !name.endsWith('.loaded.json'))
}

async function isOutlived(
  folder: string,
  key: PageKey,
  keep: 'forever' | 'none' | number,
  nowMs: number,
): Promise<boolean> {
  const [record = ''] = await namesOfPage(folder, key)
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
