import { alertOfFresh, alertOfStale, staleSubject } from '../../activities/alerts/alert.ts'
import type { AlertOrigin } from '../../activities/alerts/alert.ts'
import type { StateReporter } from '../../activities/alerts/state-reporter.ts'
import { needsAlert, type Freshness } from '../freshness/freshness-facts.ts'

/** Sends alerts for orders that have become stale, and for those that are fresh again. */
export async function alertStale(
  states: StateReporter,
  freshness: readonly Freshness[],
  place: AlertOrigin,
): Promise<void> {
  for (const one of freshness) {
    const { dataset, order, granularity, newestAt, staleSince: since, ageMs, allowedMs } = one
    const facts = { dataset, order, granularity, newestAt, since, ageMs, allowedMs }
    if (needsAlert(one)) await states.bad(alertOfStale(facts, place))
    else await states.well(alertOfFresh(facts, place))
  }
  const watched = new Set(freshness.map(staleSubject))
  await states.keepOnly((subject) => !subject.startsWith('stale/') || watched.has(subject))
}
