/** By default one call in this many is reserved. */
const DEFAULT_PART = 10

/**
 * Calls of a month that backfills leave, so that updates have some at its end.
 *
 * @param configured `source.monthly_reserve`; null = not set.
 * @param ceiling all calls of the month.
 */
export function reserveFromSettings(configured: number | null, ceiling: number): number {
  return Math.min(ceiling, configured ?? Math.floor(ceiling / DEFAULT_PART))
}
