import { count } from './quantities.ts'

/** The calls of a month: all, used, left, and reserved from backfills. */
export function monthText(month: { used: number; ceiling: number; reserve: number }): string {
  const { used, ceiling, reserve } = month
  const left = Math.max(0, ceiling - used)
  const kept = Math.min(left, reserve)
  const reserved = kept === 0 ? '' : `, ${count(kept)} of them kept for schedules and refetches`
  // Another warehouse may have used the key, which is not known before the first run.
  const spent = used === 0 ? 'none used that this warehouse knows of' : `${count(used)} used`
  return `${count(ceiling)} calls; ${spent}, ${count(left)} left${reserved}`
}
