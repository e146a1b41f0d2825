import { faultKind } from '../fault-kind.ts'
import { numberOption } from '../fault-options.ts'

/** A service that gives fewer items a page than asked for, without a word. */
export const clampedPages = faultKind({
  name: 'clamped_pages',
  place: 'body',
  about: 'pages of at most `most` items, whatever `per_page` asks for',
  shape: { most: numberOption('items of a page', { min: 1, max: 250, fallback: 50 }) },
  async spoil({ operation: { paging }, params, again }, { most }) {
    if (paging.kind === 'none' || paging.perPageParam === null) return null
    const asked = Number(params[paging.perPageParam] ?? paging.defaultPerPage)
    const bytes = asked > most ? await again({ [paging.perPageParam]: String(most) }) : null
    return bytes === null ? null : { bytes }
  },
})
