import { formatDuration, parseDurationMs } from '../config/values/duration.ts'
import type { Every, Slice } from '../datasets/dataset.ts'
import type { Interval } from './intervals.ts'
import type { WantedDataset } from './order.ts'
import { floorToStep } from './utc-grid.ts'

/** The `every` of a snapshot as the granularity of its slices. Hourly and daily snapshots are two series. */
export function everyOf({ everyMs }: Pick<WantedDataset, 'everyMs'>): Every {
  return formatDuration(everyMs) as Every
}

/** The UTC bucket of `everyMs` that holds a time. */
export function bucketAt(ms: number, everyMs: number): Interval {
  const fromMs = floorToStep(ms, everyMs)
  return { fromMs, toMs: fromMs + everyMs }
}

/** Whether a snapshot of this granularity also answers the bucket of `everyMs` around it: 1h in 1d, but no 4h in 6h. */
export function dividesEvery(granularity: Slice['granularity'], everyMs: number): boolean {
  const shorterMs = parseDurationMs(granularity)
  return shorterMs !== null && everyMs % shorterMs === 0
}
