import type { PageKey, StagedPage } from './page-stage.ts'

/**
 * All pages of a slice, from the first one on, each naming the next; null when one of them is not
 * there (yet): a slice is loaded whole or not at all.
 */
export async function findSlice(
  find: (key: PageKey) => Promise<StagedPage | null>,
  sliceId: string,
  generation: number,
): Promise<StagedPage[] | null> {
  const pages: StagedPage[] = []
  let next: StagedPage['next'] = { step: 0, page: 1 }
  while (next !== null) {
    const page: StagedPage | null = await find({ sliceId, generation, ...next })
    if (page === null) return null
    pages.push(page)
    next = page.next
  }
  return pages
}
