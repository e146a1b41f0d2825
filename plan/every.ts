import { DAY_MS } from '../api/granularity.ts'
import { formatDuration, parseDurationMs } from '../config/values/duration.ts'
import type { Every, Slice } from '../datasets/dataset.ts'
import type { WantedDataset } from './order.ts'

/** Period of a snapshot or catalogue in ms; default a day. */
export function everyMsOf({ everyMs }: Pick<WantedDataset, 'everyMs'>): number {
  return everyMs > 0 ? everyMs : DAY_MS
}

/** The `every` of a snapshot as the granularity of its slices: hourly and daily snapshots are two series. */
export function everyOf(wanted: Pick<WantedDataset, 'everyMs'>): Every {
  return formatDuration(everyMsOf(wanted)) as Every
}

/**
 * Whether each bucket of this granularity lies within one bucket of `everyMs`, so that its snapshot also answers the
 * longer bucket. An hour divides a day; four hours do not divide six.
 */
export function dividesEvery(granularity: Slice['granularity'], everyMs: number): boolean {
  const shorterMs = parseDurationMs(granularity)
  return shorterMs !== null && everyMs % shorterMs === 0
}
