import { startOfMonthMs } from '../api/month-gate.ts'
import type { Bounds } from './price-slice.ts'

export interface MonthOfKeys {
  /** Start of the next month, epoch ms. */
  endsAtMs: number
  used: number
  /** Most calls of the month. Backfills must leave the reserve. */
  ceiling: number
  reserve: number
}

/** Whether a backfill fits into the rest of the month. */
export interface MonthFit {
  /** Calls of this month that a backfill may still make. */
  leftNow: number
  /** `maybe`: the least number of calls fits, the greatest does not. */
  fits: 'yes' | 'maybe' | 'no'
  /** Months for the greatest number of calls, this one included. */
  months: number
  /** The latest end, epoch ms; null: the rate is unknown and one month is enough. */
  doneByMs: number | null
}

/** @param minutesPerCall at the rate of all keys; null: unknown */
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
  const doneByMs = Math.max(byRateMs, startOfMonthMs(endsAtMs, months - 2) + inLast * msPerCall)
  return { leftNow, fits, months, doneByMs }
}
