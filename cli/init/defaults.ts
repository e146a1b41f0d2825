import { DAY_MS } from '../../config/values/duration.ts'
import { profiles } from '../../config/profiles.ts'
import { formatUtc } from '../../config/values/utc-date.ts'

export const DEFAULTS = {
  profile: 'interface',
  /** The address of `coinlake serve`, because a first try needs no other service. */
  baseUrl: 'http://127.0.0.1:8400',
  studies: ['prices'],
  coins: 'bitcoin,ethereum',
  granularity: '1d',
} as const

/** The reach of some series, and of the keys of the smallest plan. */
const YEAR_DAYS = 365
/** Days of margin, because the limit moves on while a person reads and runs. */
const MARGIN_DAYS = 2

/** The default start of histories: at most a year back, and within the reach of the key. */
export function defaultFrom(nowMs: number, profile: string | undefined): string {
  const found = Object.values(profiles).find(({ name }) => name === profile)
  return daysBack(nowMs, Math.min(YEAR_DAYS, found?.maxHistoryDays ?? YEAR_DAYS) - MARGIN_DAYS)
}

/** Midnight UTC this many days ago, in the form of a configuration. */
export function daysBack(nowMs: number, days: number): string {
  return formatUtc(Math.floor(nowMs / DAY_MS - days) * DAY_MS)
}
