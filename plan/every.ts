import { DAY_MS } from '../api/granularity.ts'
import { formatDuration, parseDurationMs } from '../config/duration.ts'
import type { Every, Slice } from '../datasets/dataset.ts'
import type { WantedDataset } from './order.ts'

/** Period of a snapshot or catalogue in ms; a day where it is not given. */
export function everyMsOf({ everyMs }: Pick<WantedDataset, 'everyMs'>): number {
  return everyMs > 0 ? everyMs : DAY_MS
}

/** The granularity of a snapshot's slices, so that an hourly and a daily one are two series. */
export function everyOf(wanted: Pick<WantedDataset, 'everyMs'>): Every {
  return formatDuration(everyMsOf(wanted)) as Every
}

/**
 * Whether snapshots of this granularity lie within buckets of `everyMs` whole, so that each of them answers
 * one: an hour lies within a day, four hours not within six.
 */
export function dividesEvery(granularity: Slice['granularity'], everyMs: number): boolean {
  const shorterMs = parseDurationMs(granularity)
  return shorterMs !== null && everyMs % shorterMs === 0
}
