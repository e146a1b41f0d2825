import { DAY_MS } from '../../config/values/duration.ts'
import { GRANULARITY_MS } from '../../api/granularity.ts'

/** Prices change only at knots, one every five minutes from 1970 on. A late point has the price of its knot. */
export const KNOT_MS = GRANULARITY_MS['5m']
export const KNOTS_PER_HOUR = 12
export const HOURS_PER_DAY = 24
export const KNOTS_PER_DAY = KNOTS_PER_HOUR * HOURS_PER_DAY

/** The last knot up to a time. */
export function knotAt(ms: number): number {
  return Math.floor(ms / KNOT_MS)
}

/** The UTC day of a time, counted from 1970. */
export function dayAt(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

/** The first day of trading. */
export const FIRST_DAY = dayAt(Date.UTC(2013, 0, 1))
/** The day on which coins have their `anchorUsd` and `anchorSupply`. */
export const ANCHOR_DAY = dayAt(Date.UTC(2025, 0, 1))
