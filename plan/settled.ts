import { DAY_MS } from '../api/granularity.ts'
import type { Dataset, Slice } from '../datasets/dataset.ts'
import { currentStep } from './current-step.ts'
import { floorToStep, gridStepMs } from './utc-grid.ts'

/** How much of a loaded slice is final. */
export interface Settlement {
  /** Points of the slice before this are verified, the rest is provisional; within [fromMs, toMs]. */
  settledToMs: number
  /** From then on asking again may bring or verify more; null when it never will: all is settled, or the chance is gone. */
  recheckAtMs: number | null
  /** Time of the answer's last point where that tells the moment of the answer and no step; else null. */
  movingMs: number | null
}

/** A series is asked again at most once in so long. */
export const RECHECK_MS = 5 * 60_000
const MINUTE_MS = 60_000

/**
 * What an answer fetched at `fetchedAtMs` (the source's clock) settles of a slice.
 *
 * Range and trailing: a point is final once the dataset's `settleMs` has passed since its time. The
 * moving point never is, nor a current step that has no other: its point may still come.
 * Dated: the day is final when it is over and `settleMs` has passed.
 * Snapshot and catalogue: an answer from within the bucket (or before: clocks differ) settles it; one
 * from after its end settles nothing and never will, because today's values are not yesterday's.
 *
 * @param times of the answer's points in the slice, ascending; only those that may not be final count
 */
export function settled(
  slice: Slice,
  fetchedAtMs: number,
  dataset: Dataset,
  times: readonly number[],
): Settlement {
  const { fromMs, toMs, granularity } = slice
  const { kind } = dataset
  if (kind === 'snapshot' || kind === 'catalogue') {
    const settledToMs = fetchedAtMs < toMs ? toMs : fromMs
    return { settledToMs, recheckAtMs: null, movingMs: null }
  }
  const settleMs = dataset.settleMs(granularity)
  const isOver = toMs <= fetchedAtMs - settleMs
  if (kind === 'dated') {
    const settledToMs = isOver ? toMs : fromMs
    return { settledToMs, recheckAtMs: isOver ? null : toMs + settleMs, movingMs: null }
  }
  const movingMs = movingPoint(slice, fetchedAtMs, dataset, times)
  if (isOver && movingMs === null) return { settledToMs: toMs, recheckAtMs: null, movingMs }
  const step = currentStep(dataset, granularity, fetchedAtMs)
  const own = movingMs === null ? times : times.slice(0, -1)
  // A slice that begins within the step goes on behind the point that it has.
  const hasPoint = fromMs > step.fromMs || (own.at(-1) ?? -Infinity) >= step.fromMs
  const finalMs = Math.min(
    fetchedAtMs - settleMs,
    movingMs ?? Infinity,
    hasPoint ? Infinity : step.fromMs,
  )
  const settledToMs = Math.min(toMs, Math.max(fromMs, finalMs))
  const oldestMs = own.find((ms) => ms >= settledToMs) ?? Infinity
  const worthMs = [oldestMs + settleMs, toMs + settleMs]
  if (toMs > step.fromMs) {
    const nextDueMs = step.dueMs + step.toMs - step.fromMs
    worthMs.push(hasPoint ? nextDueMs : Math.min(nextDueMs, dueAgain(step.dueMs, fetchedAtMs)))
  }
  const soonestMs = floorToStep(fetchedAtMs, MINUTE_MS) + RECHECK_MS
  return { settledToMs, recheckAtMs: Math.max(soonestMs, Math.min(...worthMs)), movingMs }
}

/** A point that is overdue is waited for as long again as it is late: many a step has none at all. */
function dueAgain(dueMs: number, fetchedAtMs: number): number {
  return fetchedAtMs < dueMs ? dueMs : fetchedAtMs + Math.max(RECHECK_MS, fetchedAtMs - dueMs)
}

/**
 * The last point of an answer tells the price of its moment, or of the moment when the source kept it; a
 * candle that was still open then looks closed by now. The slice may end before: requests are widened up to now, and
 * what a run has planned an hour ago ends with the step of then. On a midnight a daily point is the close of a
 * day, at whatever moment it came.
 */
function movingPoint(
  { granularity }: Slice,
  fetchedAtMs: number,
  dataset: Dataset,
  times: readonly number[],
): number | null {
  const newestMs = times.at(-1)
  if (newestMs === undefined) return null
  const stepMs = gridStepMs(dataset, granularity)
  const answeredMs = fetchedAtMs - dataset.cacheMs(granularity)
  if (dataset.isOfCandles === true) return newestMs + stepMs > answeredMs ? newestMs : null
  const isClose = stepMs === DAY_MS && newestMs % DAY_MS === 0
  return newestMs >= answeredMs && !isClose ? newestMs : null
}
