import { PAGE_FOLDERS, pageAt, pageName, sliceName } from './page-path.ts'
import type { PageKey } from './page-stage.ts'
import { readPage } from './read-page.ts'
import { sharedFiles } from './shared-files.ts'

export interface CheckedAnswer {
  key: PageKey
  /** The file, relative to the stage. */
  path: string
  /** Why the answer cannot be trusted; null: its checksums hold. */
  fault: string | null
  /** null: the line of facts is damaged. */
  dataset: string | null
}

/** Compares every kept answer with its checksums. Moves nothing. */
export async function* checkStagedAnswers(place: string): AsyncGenerator<CheckedAnswer> {
  const files = sharedFiles(place)
  for (const folder of PAGE_FOLDERS) {
    const seen = new Set<string>()
    for (const { name: path } of await files.listDeep(folder)) {
      const key = pageAt(path)
      if (key === null) continue
      // A page of an older coinlake has several files.
      const id = `${sliceName(key)} ${pageName(key)}`
      if (seen.has(id)) continue
      seen.add(id)
      const kept = await readPage(files, key)
      // The answer has expired since the listing.
      if (kept === null) continue
      if (typeof kept === 'string') {
        yield { key, path, fault: kept, dataset: null }
        continue
      }
      const body = await kept.body()
      const fault = typeof body === 'string' ? body : null
      yield { key, path, fault, dataset: kept.page.slice.dataset }
    }
  }
}
