/** The state of a listing after one of its pages. */
export interface ListingSoFar {
  /** Items of this page. */
  itemCount: number
  /** Items of all pages up to this one. */
  itemsSoFar: number
  /** Requested items per page. */
  perPage: number
  /** The source's count of the listing's items; null = none given. */
  toldItems: number | null
}

/**
 * Whether a listing ends with this page. An empty page proves the end, at the price of one more call; so does a short
 * page that reaches the source's own count. A short page alone proves nothing, because a service may grant smaller
 * pages, or drop items from a page after cutting it. The count alone may be that of the page.
 */
export function isListingEnd({ itemCount, itemsSoFar, perPage, toldItems }: ListingSoFar): boolean {
  if (itemCount === 0) return true
  return itemCount < perPage && toldItems !== null && itemsSoFar >= toldItems
}

/** Calls for a listing of `itemCount` items from a source that gives no count, with the empty page at the end. */
export function listingPages(itemCount: number, perPage: number): number {
  return Math.ceil(itemCount / perPage) + 1
}
