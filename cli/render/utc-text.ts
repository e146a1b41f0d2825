import { DAY_MS } from '../../config/values/duration.ts'

/** 2026-01-15T12:05:00.000Z as 2026-01-15 12:05Z. */
export function utcMinute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`
}

/** The UTC day of a moment: 2026-01-15. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** A time to the minute as one word: 2026-01-15T12:05Z. */
export function isoMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`
}

/** `[from, to)` in days; to the minute when a bound is no midnight. */
export function utcInterval(fromMs: number, toMs: number): string {
  const isInDays = fromMs % DAY_MS === 0 && toMs % DAY_MS === 0
  const text = isInDays ? utcDay : isoMinute
  return `[${text(fromMs)}, ${text(toMs)})`
}
