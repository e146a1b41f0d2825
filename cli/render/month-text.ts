import { count } from './quantities.ts'

/** The calls of a month: all, used, left, and reserved from backfills. */
export function monthText(month: { used: number; ceiling: number; reserve: number }): string {
  const { used, ceiling, reserve } = month
  const left = Math.max(0, ceiling - used)
  const kept = Math.min(left, reserve)
  const reserved = kept === 0 ? '' : `, ${count(kept)} of them kept for schedules and refetches`
  const spent = used === 0 ? 'none' : count(used)
  // Another warehouse may have used the key since the last run of this one.
  return `${count(ceiling)} calls; ${spent} used that this warehouse knows of, ${count(left)} left${reserved}`
}
