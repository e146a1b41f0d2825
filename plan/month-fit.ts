import type { Bounds } from './price-slice.ts'

/** The month of all keys that a plan is made for, together. */
export interface MonthOfKeys {
  /** When the next month begins; epoch ms. */
  endsAtMs: number
  used: number
  /** Calls that the month holds, and how many of them a backfill leaves alone. */
  ceiling: number
  reserve: number
}

/** Whether a backfill fits into what is left of the month. */
export interface MonthFit {
  /** Calls that a backfill may still make in this month. */
  leftNow: number
  /** `maybe`: its fewest calls fit, its most do not. */
  fits: 'yes' | 'maybe' | 'no'
  /** Months that its most calls take, this one included. */
  months: number
  /** When they are made at the latest, epoch ms; null while no rate is known and one month is enough. */
  doneByMs: number | null
}

/** @param minutesPerCall at the rate of all keys; null = not known, then whole months are told only. */
export function monthFit(
  calls: Bounds,
  { endsAtMs, used, ceiling, reserve }: MonthOfKeys,
  minutesPerCall: number | null,
  nowMs: number,
): MonthFit {
  const perMonth = Math.max(1, ceiling - reserve)
  const leftNow = Math.max(0, ceiling - reserve - used)
  const later = Math.max(0, calls.max - leftNow)
  const months = 1 + Math.ceil(later / perMonth)
  const fits = calls.max <= leftNow ? 'yes' : calls.min <= leftNow ? 'maybe' : 'no'
  const msPerCall = (minutesPerCall ?? 0) * 60_000
  const byRateMs = nowMs + calls.max * msPerCall
  if (months === 1)
    return { leftNow, fits, months, doneByMs: minutesPerCall === null ? null : byRateMs }
  const inLast = later - (months - 2) * perMonth
  const doneByMs = Math.max(byRateMs, monthAfterMs(endsAtMs, months - 2) + inLast * msPerCall)
  return { leftNow, fits, months, doneByMs }
}

/** First moment of the UTC month that begins so many months after another one began. */
function monthAfterMs(startsAtMs: number, months: number): number {
  const starts = new Date(startsAtMs)
  return Date.UTC(starts.getUTCFullYear(), starts.getUTCMonth() + months, 1)
}
