import type { Slice } from '../datasets/dataset.ts'
import { folderOf, PAGE_FOLDERS, pageAt, pagePath, sliceName } from './page-path.ts'
import type { StagedPage } from './page-stage.ts'
import { readPage } from './read-page.ts'
import { sharedFiles } from './shared-files.ts'

export interface KeptSlice {
  sliceId: string
  generation: number
  slice: Slice
  /** When the source answered with the newest page. */
  fetchedAtMs: number
  /** Whether all its pages are there. Their bodies are not checked. */
  isWhole: boolean
}

export interface KeptSlicesOptions {
  /** Ids of slices. Default: all. */
  only?: ReadonlySet<string>
  /** Called for each slice whose first page has a damaged line of facts. */
  onUnreadable?: (path: string) => void
}

/**
 * Every slice whose first page the stage has, the oldest answer first.
 *
 * @param place a folder or `s3://bucket/prefix`
 */
export async function keptSlices(
  place: string,
  { only, onUnreadable }: KeptSlicesOptions = {},
): Promise<KeptSlice[]> {
  const files = sharedFiles(place)
  const slices = new Map<string, { sliceId: string; generation: number }>()
  const folders =
    only === undefined
      ? PAGE_FOLDERS
      : new Set([...only].map((sliceId) => folderOf({ sliceId, generation: 0 })))
  for (const folder of folders) {
    for (const { name } of await files.listDeep(folder)) {
      const key = pageAt(name)
      if (key === null || only?.has(key.sliceId) === false) continue
      const { sliceId, generation } = key
      slices.set(sliceName(key), { sliceId, generation })
    }
  }
  const found: KeptSlice[] = []
  for (const ofSlice of slices.values()) {
    let first: StagedPage | null = null
    let fetchedAtMs = 0
    let next: StagedPage['next'] = { step: 0, page: 1 }
    while (next !== null) {
      const kept = await readPage(files, { ...ofSlice, ...next })
      if (kept === null || typeof kept === 'string') break
      first ??= kept.page
      fetchedAtMs = Math.max(fetchedAtMs, kept.page.fetchedAtMs)
      next = kept.page.next
    }
    const isWhole = next === null
    if (first !== null) found.push({ ...ofSlice, slice: first.slice, fetchedAtMs, isWhole })
    else onUnreadable?.(`${place}/${pagePath({ ...ofSlice, step: 0, page: 1 })}`)
  }
  return found.sort(
    (a, b) =>
      a.fetchedAtMs - b.fetchedAtMs ||
      a.generation - b.generation ||
      (a.sliceId < b.sliceId ? -1 : 1),
  )
}
