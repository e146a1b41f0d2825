import { DAY_MS, GRANULARITY_MS } from '../../api/granularity.ts'

/**
 * The market moves in knots: one every five minutes, counted from 1970. Between two knots the price
 * stands at the earlier one, so that a point published late still tells a price that was traded.
 */
export const KNOT_MS = GRANULARITY_MS['5m']
export const KNOTS_PER_HOUR = 12
export const HOURS_PER_DAY = 24
export const KNOTS_PER_DAY = KNOTS_PER_HOUR * HOURS_PER_DAY

/** The knot in force at a time. */
export function knotAt(ms: number): number {
  return Math.floor(ms / KNOT_MS)
}

/** UTC day, counted from 1970-01-01. */
export function dayAt(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

/** Before this day nothing was traded. */
export const FIRST_DAY = dayAt(Date.UTC(2013, 0, 1))
/** The day at which coins have the price and supply that `coin-universe.ts` gives them. */
export const ANCHOR_DAY = dayAt(Date.UTC(2025, 0, 1))
