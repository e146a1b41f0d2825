import { DAY_MS, MINUTE_MS } from '../config/values/duration.ts'
import { isOfBuckets } from '../datasets/request/buckets.ts'
import type { Dataset, Slice } from '../datasets/dataset.ts'
import { newestStep } from './newest-step.ts'
import { floorToStep, gridStepMs } from './utc-grid.ts'

export interface Settlement {
  /** Points before this time are verified, later ones provisional; within [fromMs, toMs]. */
  settledToMs: number
  /** From this time on a new request may bring more; null: never. */
  recheckAtMs: number | null
  /** Time of the moving point: the last point, if it shows the moment of the answer or an open candle. null: none. */
  movingMs: number | null
}

/** Shortest time between two requests for a series. Each window of a five-minute schedule may ask. */
export const RECHECK_MS = 5 * 60_000

/**
 * The settled part of a slice after an answer fetched at `fetchedAtMs` (the source's clock).
 *
 * - range, trailing: a point is final `settleMs` after its time. The moving point is never final. While the current
 *   step has no other point, the step is not final.
 * - dated: the day is final `settleMs` after its end.
 * - snapshot, catalogue: only an answer before the end of the bucket settles the bucket.
 *
 * @param times times of the answer's points in the slice, ascending; callers may leave out surely final ones
 */
export function settlementOf(
  slice: Slice,
  fetchedAtMs: number,
  dataset: Dataset,
  times: readonly number[],
): Settlement {
  const { fromMs, toMs, granularity } = slice
  if (isOfBuckets(dataset)) {
    const settledToMs = fetchedAtMs < toMs ? toMs : fromMs
    return { settledToMs, recheckAtMs: null, movingMs: null }
  }
  const settleMs = dataset.settleMs(granularity)
  const isOver = toMs <= fetchedAtMs - settleMs
  if (dataset.kind === 'dated') {
    const settledToMs = isOver ? toMs : fromMs
    return { settledToMs, recheckAtMs: isOver ? null : toMs + settleMs, movingMs: null }
  }
  const movingMs = movingPointMs(slice, fetchedAtMs, dataset, times)
  if (isOver && movingMs === null) return { settledToMs: toMs, recheckAtMs: null, movingMs }
  const step = newestStep(dataset, granularity, fetchedAtMs)
  const stepTimes = movingMs === null ? times : times.slice(0, -1)
  // A slice that begins within the step begins after the step's point.
  const hasPoint = fromMs > step.fromMs || (stepTimes.at(-1) ?? -Infinity) >= step.fromMs
  const finalMs = Math.min(
    fetchedAtMs - settleMs,
    movingMs ?? Infinity,
    hasPoint ? Infinity : step.fromMs,
  )
  const settledToMs = Math.min(toMs, Math.max(fromMs, finalMs))
  const oldestMs = stepTimes.find((ms) => ms >= settledToMs) ?? Infinity
  const worthMs = [oldestMs + settleMs, toMs + settleMs]
  if (toMs > step.fromMs) {
    const nextDueMs = step.dueMs + step.toMs - step.fromMs
    worthMs.push(hasPoint ? nextDueMs : Math.min(nextDueMs, dueAgainMs(step.dueMs, fetchedAtMs)))
  }
  // Counted from the full minute: a run some seconds late in its window may ask again in the next.
  const soonestMs = floorToStep(fetchedAtMs, MINUTE_MS) + RECHECK_MS
  return { settledToMs, recheckAtMs: Math.max(soonestMs, Math.min(...worthMs)), movingMs }
}

/**
 * The time of the next try for the point of a step. Once the point is overdue, each wait equals its lateness so far,
 * but at least RECHECK_MS. Waits grow, because some steps have no point at all.
 */
function dueAgainMs(dueMs: number, fetchedAtMs: number): number {
  return fetchedAtMs < dueMs ? dueMs : fetchedAtMs + Math.max(RECHECK_MS, fetchedAtMs - dueMs)
}

/**
 * The time of the moving point, which is the last one of an answer. A cached answer may be `cacheMs` old. So a candle
 * that was open that long ago counts as open, even if it is over now. A daily point on midnight is always the close of
 * a day.
 */
function movingPointMs(
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
