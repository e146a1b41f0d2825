/** The default reserve of a month: one call of this many. */
const DEFAULT_PART = 10

/**
 * Calls of a month that a backfill leaves alone, so that what keeps the warehouse up to date still has
 * some when the month is nearly over.
 *
 * @param configured `source.monthly_reserve`; null = not said.
 * @param ceiling calls that the month holds.
 */
export function monthlyReserve(configured: number | null, ceiling: number): number {
  return Math.min(ceiling, configured ?? Math.floor(ceiling / DEFAULT_PART))
}
