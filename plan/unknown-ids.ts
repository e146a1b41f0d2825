import { DAY_MS } from '../api/granularity.ts'
import { floorToStep } from './utc-grid.ts'

/** An id that the source does not know, as a run reported. */
export interface UnknownEntity {
  dataset: string
  entity: string
  /** Time of the last request for the id. */
  askedAtMs: number
  /** The first answer without the id, after one with it; null = no answer ever had it. */
  goneSinceMs: number | null
}

/** Shortest time between two tries of an unlisted id. */
const SOONEST_MS = 5 * 60_000

/**
 * The time of the next try of an id. An id that the source never knew: once a UTC day. An id that it knew: when it
 * has been gone twice as long as at the last try, so that a short loss ends soon and a long one costs little; after
 * five minutes at the soonest, a day at the latest.
 */
export function nextTryMs({ askedAtMs, goneSinceMs }: UnknownEntity): number {
  if (goneSinceMs === null) return floorToStep(askedAtMs, DAY_MS) + DAY_MS
  return askedAtMs + Math.min(DAY_MS, Math.max(SOONEST_MS, askedAtMs - goneSinceMs))
}

/** Looks ids up: whether the source does not know an id, and whether a try is due at `nowMs`. */
export function unknownIdLookup(unknown: readonly UnknownEntity[], nowMs: number) {
  const againMs = new Map(unknown.map((one) => [`${one.dataset} ${one.entity}`, nextTryMs(one)]))
  return {
    has: (dataset: string, entity: string): boolean => againMs.has(`${dataset} ${entity}`),
    isDue: (dataset: string, entity: string): boolean =>
      nowMs >= (againMs.get(`${dataset} ${entity}`) ?? Infinity),
  }
}
