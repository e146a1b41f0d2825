import { count } from './quantities.ts'

/** The calls of a month, what is used and left of them, and what a backfill leaves alone. */
export function monthText(month: { used: number; ceiling: number; reserve: number }): string {
  const { used, ceiling, reserve } = month
  const left = Math.max(0, ceiling - used)
  const kept = Math.min(left, reserve)
  const forSyncs = kept === 0 ? '' : `, ${count(kept)} of them kept for syncs`
  return `${count(ceiling)} calls; ${count(used)} used, ${count(left)} left${forSyncs}`
}
