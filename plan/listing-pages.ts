/** Page sizes that services fall back to when they do not grant what was asked (facts: market-api 0.7). */
const CLAMP_STEP = 50

/**
 * Whether a listing ends with a page of `itemCount` items when `perPage` were asked. A page that is
 * short by a round number may have been clamped by the service, not ended: one more call tells,
 * where trusting it would lose the rest of the list silently.
 */
export function isLastPage(itemCount: number, perPage: number): boolean {
  if (itemCount === 0) return true
  return itemCount < perPage && itemCount % CLAMP_STEP !== 0
}

/** How many calls a listing of `itemCount` items takes at `perPage`, by the rule of `isLastPage`. */
export function listingPages(itemCount: number, perPage: number): number {
  const full = Math.floor(itemCount / perPage)
  const rest = itemCount - full * perPage
  return isLastPage(rest, perPage) ? full + 1 : full + 2
}
