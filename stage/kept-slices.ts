import type { Slice } from '../datasets/dataset.ts'
import { PAGE_FOLDERS, pageAt, pagePath, sliceName } from './page-path.ts'
import type { StagedPage } from './page-stage.ts'
import { readPage } from './read-page.ts'
import { sharedFiles } from './shared-files.ts'

/** The answers to one slice, as their file names tell. */
export interface KeptAnswers {
  sliceId: string
  generation: number
}

export interface KeptSlice extends KeptAnswers {
  slice: Slice
  /** When the source answered with the newest page. */
  fetchedAtMs: number
  /** Whether all its pages are there. Their bodies are not checked. */
  isWhole: boolean
}

export interface KeptSlicesOptions {
  /** Chooses the answers to read among those of one folder. Default: all. */
  choose?: (named: readonly KeptAnswers[]) => Promise<readonly KeptAnswers[]>
  /** Called for each slice whose first page has a damaged line of facts. */
  onUnreadable?: (path: string) => void
}

/**
 * Every slice whose first page the stage has, the oldest answer first. Folders are read one after the other, so only the
 * chosen answers take memory.
 *
 * @param place a folder or `s3://bucket/prefix`
 */
export async function keptSlices(
  place: string,
  { choose, onUnreadable }: KeptSlicesOptions = {},
): Promise<KeptSlice[]> {
  const files = sharedFiles(place)
  const found: KeptSlice[] = []
  for (const folder of PAGE_FOLDERS) {
    const named = new Map<string, KeptAnswers>()
    for (const { name } of await files.listDeep(folder)) {
      const key = pageAt(name)
      if (key === null) continue
      const { sliceId, generation } = key
      named.set(sliceName(key), { sliceId, generation })
    }
    const chosen = [...named.values()]
    for (const answers of choose === undefined ? chosen : await choose(chosen)) {
      let first: StagedPage | null = null
      let fetchedAtMs = 0
      let next: StagedPage['next'] = { step: 0, page: 1 }
      while (next !== null) {
        const kept = await readPage(files, { ...answers, ...next })
        if (kept === null || typeof kept === 'string') break
        first ??= kept.page
        fetchedAtMs = Math.max(fetchedAtMs, kept.page.fetchedAtMs)
        next = kept.page.next
      }
      const isWhole = next === null
      if (first !== null) found.push({ ...answers, slice: first.slice, fetchedAtMs, isWhole })
      else onUnreadable?.(`${place}/${pagePath({ ...answers, step: 0, page: 1 })}`)
    }
  }
  return found.sort(
    (a, b) =>
      a.fetchedAtMs - b.fetchedAtMs ||
      a.generation - b.generation ||
      (a.sliceId < b.sliceId ? -1 : 1),
  )
}
