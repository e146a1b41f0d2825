import { faultKind } from '../fault-kind.ts'
import { pageBefore } from '../page-before.ts'

/** Page 3 that is page 2 again; beyond the end, services that clamp `page` do the same. */
export const repeatedPages = faultKind({
  name: 'repeated_pages',
  place: 'body',
  about: 'a page from the second on is the page before it again',
  async spoil(meeting) {
    const bytes = await pageBefore(meeting)
    return bytes === null ? null : { bytes }
  },
})
