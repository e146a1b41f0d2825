import { counted } from './quantities.ts'

export interface ListingDoubts {
  /** Items that came on more than one page. */
  moved: number
  /** Items that the source counted and did not list. */
  unlisted: number
}

/** Lines for a listing, or for all listings of a dataset, that may lack items; [] = no doubts. */
export function listingDoubtLines(name: string, { moved, unlisted }: ListingDoubts): string[] {
  const lines: string[] = []
  if (moved > 0) {
    const items = counted(moved, 'item')
    lines.push(
      `${name}: the listing moved while it was read: ${items} came on two pages, as many may be missing`,
    )
  }
  if (unlisted > 0) {
    lines.push(`${name}: the source told of ${counted(unlisted, 'item')} more than it listed`)
  }
  return lines
}
