import { alertOfFresh, alertOfStale, staleSubject } from '../../activities/alerts/alert.ts'
import type { AlertPlace } from '../../activities/alerts/alert.ts'
import type { ToldStates } from '../../activities/alerts/told-states.ts'
import { isOld } from '../freshness/freshness-facts.ts'
import type { Freshness } from '../freshness/freshness-facts.ts'

/** Tells of datasets that have become stale, and of those that are fresh again. */
export async function tellFreshness(
  told: ToldStates,
  freshness: readonly Freshness[],
  place: AlertPlace,
): Promise<void> {
  for (const one of freshness) {
    const { dataset, order, granularity, newestAt, staleSince: since, ageMs, allowedMs } = one
    const facts = { dataset, order, granularity, newestAt, since, ageMs, allowedMs }
    if (isOld(one)) await told.bad(alertOfStale(facts, place))
    else await told.well(alertOfFresh(facts, place))
  }
  const watched = new Set(freshness.map(staleSubject))
  await told.keepOnly((subject) => !subject.startsWith('stale/') || watched.has(subject))
}
