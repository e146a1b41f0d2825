import { basename } from 'node:path'
import type { Slice } from '../datasets/dataset.ts'
import type { KnownSlices } from './expire-stage.ts'
import { PAGE_FOLDERS, pageAt, pagePath, sliceName } from './page-path.ts'
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
  /** Whether the ledger has it, and no run has fetched it. */
  isPlanned: boolean
}

export interface KeptSlicesOptions {
  /** Answers that any run has loaded, or that failed, are left out. Default: none. */
  ledger?: KnownSlices | undefined
  /** Called for each slice whose first page has a damaged line of facts. */
  onUnreadable?: (path: string) => void
}

/**
 * Every slice whose first page the stage has, the oldest answer first. Folders are read one after the other, so that
 * millions of answers that the ledger has take no memory.
 *
 * @param place a folder or `s3://bucket/prefix`
 */
export async function keptSlices(
  place: string,
  { ledger, onUnreadable }: KeptSlicesOptions = {},
): Promise<KeptSlice[]> {
  const files = sharedFiles(place)
  const found: KeptSlice[] = []
  for (const folder of PAGE_FOLDERS) {
    const named = new Map<string, Pick<KeptSlice, 'sliceId' | 'generation'>>()
    for (const { name } of await files.listDeep(folder)) {
      const key = pageAt(name)
      if (key === null) continue
      const { sliceId, generation } = key
      named.set(sliceName(key), { sliceId, generation })
    }
    const known = named.size > 0 ? await ledger?.(basename(folder)) : undefined
    for (const [name, answers] of named) {
      const state = known?.get(name)
      if (state === 'loaded' || state === 'failed') continue
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
      const ends = { isWhole: next === null, isPlanned: state === 'planned' }
      if (first !== null) found.push({ ...answers, slice: first.slice, fetchedAtMs, ...ends })
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
