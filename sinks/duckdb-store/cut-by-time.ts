import type { Interval } from '../../plan/intervals.ts'

const US_PER_MS = 1000

/** Rows [begin, end) of a page, which lie all within the stretches that were asked for, or all outside. */
export interface RowRange {
  begin: number
  end: number
  isWithin: boolean
}

/**
 * Cuts the rows of a series where they enter and leave stretches of time; ranges without rows are left out.
 *
 * @param times epoch microseconds of the rows, increasing
 * @param stretches in normal form
 */
export function cutByTime(times: Float64Array, stretches: readonly Interval[]): RowRange[] {
  const ranges: RowRange[] = []
  const cut = (end: number, isWithin: boolean): void => {
    const begin = ranges.at(-1)?.end ?? 0
    if (begin < end) ranges.push({ begin, end, isWithin })
  }
  for (const { fromMs, toMs } of stretches) {
    cut(firstFrom(times, fromMs * US_PER_MS), false)
    cut(firstFrom(times, toMs * US_PER_MS), true)
  }
  cut(times.length, false)
  return ranges
}

/** The first row at or after `us`; the number of rows when there is none. */
function firstFrom(times: Float64Array, us: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < us) low = middle + 1
    else high = middle
  }
  return low
}
