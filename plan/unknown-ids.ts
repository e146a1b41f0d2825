import { DAY_MS } from '../config/values/duration.ts'
import { floorToStep } from './utc-grid.ts'

/** An id that the source does not know, by the report of a run. */
export interface UnknownEntity {
  dataset: string
  entity: string
  askedAtMs: number
  /** Time of the first answer without the id; null: no answer ever had it. */
  goneSinceMs: number | null
}

/** Shortest time between two tries of an unlisted id. */
const SOONEST_MS = 5 * 60_000

/**
 * The time of the next try of an id. Never known to the source: once a UTC day. Known before: the wait is the
 * time that it had been gone at the last try, but 5 minutes to a day.
 */
export function nextTryMs({ askedAtMs, goneSinceMs }: UnknownEntity): number {
  if (goneSinceMs === null) return floorToStep(askedAtMs, DAY_MS) + DAY_MS
  return askedAtMs + Math.min(DAY_MS, Math.max(SOONEST_MS, askedAtMs - goneSinceMs))
}

export function unknownIdLookup(unknown: readonly UnknownEntity[], nowMs: number) {
  const nextTries = new Map(unknown.map((one) => [`${one.dataset} ${one.entity}`, nextTryMs(one)]))
  return {
    has: (dataset: string, entity: string): boolean => nextTries.has(`${dataset} ${entity}`),
    isDue: (dataset: string, entity: string): boolean =>
      nowMs >= (nextTries.get(`${dataset} ${entity}`) ?? Infinity),
  }
}
