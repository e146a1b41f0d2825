/** The state of a listing after one of its pages. */
export interface ListingSoFar {
  itemCount: number
  itemsSoFar: number
  perPage: number
  /** The source's count of the listing's items; null: none given. */
  toldItems: number | null
}

/**
 * Whether a listing ends with this page. An empty page proves the end. A short page proves it only with the source's
 * count of items, because a service may grant smaller pages or drop items. A count that is too low is believed.
 */
export function isListingEnd({ itemCount, itemsSoFar, perPage, toldItems }: ListingSoFar): boolean {
  if (itemCount === 0) return true
  return itemCount < perPage && toldItems !== null && itemsSoFar >= toldItems
}

/** Calls for a listing from a source without a count; the last page is empty. */
export function listingPages(itemCount: number, perPage: number): number {
  return Math.ceil(itemCount / perPage) + 1
}
