import { DAY_MS } from '../api/granularity.ts'
import { floorToStep } from './utc-grid.ts'

/** An id that the source does not know, as a run has told. */
export interface UnknownEntity {
  dataset: string
  entity: string
  /** When it was asked for last. */
  askedAtMs: number
  /** The first answer without it, of an id that was in one before; null = it never was. */
  goneSinceMs: number | null
}

/** An id that was there is not asked for again sooner. */
const SOONEST_MS = 5 * 60_000

/**
 * When an id is asked for again. One that the source never knew: once in a UTC day. One that it knew: when it
 * has been gone twice as long as at the last try, so that the loss of an hour is over soon and that of a year
 * costs little; after five minutes at the soonest, a day at the latest.
 */
export function askedAgainMs({ askedAtMs, goneSinceMs }: UnknownEntity): number {
  if (goneSinceMs === null) return floorToStep(askedAtMs, DAY_MS) + DAY_MS
  return askedAtMs + Math.min(DAY_MS, Math.max(SOONEST_MS, askedAtMs - goneSinceMs))
}

/** Looks ids up: whether the source does not know one, and whether it is asked for at `nowMs` all the same. */
export function unknownIds(unknown: readonly UnknownEntity[], nowMs: number) {
  const againMs = new Map(unknown.map((one) => [`${one.dataset} ${one.entity}`, askedAgainMs(one)]))
  return {
    has: (dataset: string, entity: string): boolean => againMs.has(`${dataset} ${entity}`),
    isDue: (dataset: string, entity: string): boolean =>
      nowMs >= (againMs.get(`${dataset} ${entity}`) ?? Infinity),
  }
}
