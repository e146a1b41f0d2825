/** What is known of a listing behind one of its pages. */
export interface ListingSoFar {
  /** Items of this page. */
  itemCount: number
  /** Items of all pages up to this one. */
  itemsSoFar: number
  /** Items of a page that were asked for. */
  perPage: number
  /** How many items the source says the listing has; null when it says nothing. */
  toldItems: number | null
}

/**
 * Whether a listing ends with this page. A short page proves nothing: a service may grant any smaller
 * page than was asked for, or leave items out of a page after cutting it. So a listing ends with a page
 * that has no items, which costs one call more than its items need, or, without that call, with a short
 * page at which the source's own count is reached. The count alone ends nothing: it may be that of the
 * page.
 */
export function isListingEnd({ itemCount, itemsSoFar, perPage, toldItems }: ListingSoFar): boolean {
  if (itemCount === 0) return true
  return itemCount < perPage && toldItems !== null && itemsSoFar >= toldItems
}

/** How many calls a listing of `itemCount` items takes at `perPage` where the source tells no count. */
export function listingPages(itemCount: number, perPage: number): number {
  return Math.ceil(itemCount / perPage) + 1
}
