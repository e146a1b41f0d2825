import type { Dataset, Slice } from '../datasets/dataset.ts'
import { floorToStep, gridStepMs } from './utc-grid.ts'

/** How much of a loaded slice is final. */
export interface Settlement {
  /** Points of the slice before this are verified, the rest is provisional; within [fromMs, toMs]. */
  settledToMs: number
  /** From then on asking again verifies more; null when it never will: all is settled, or the chance is gone. */
  recheckAtMs: number | null
}

/**
 * What an answer fetched at `fetchedAtMs` (the source's clock) settles of a slice.
 *
 * Range and trailing: a point is final once the dataset's `settleMs` has passed since its time, and
 * only whole granularity steps settle, so that a later plan's hole starts on the grid. `recheckAtMs`
 * is when the next whole step is final: before it a new answer could not verify anything more, and a
 * repeated run makes no call.
 * Dated: the day is final when it is over and `settleMs` has passed.
 * Snapshot and catalogue: an answer from within the bucket (or before: clocks differ) settles it; one
 * from after its end settles nothing and never will, because today's values are not yesterday's.
 */
export function settled(slice: Slice, fetchedAtMs: number, dataset: Dataset): Settlement {
  const { fromMs, toMs, granularity } = slice
  if (dataset.kind === 'snapshot' || dataset.kind === 'catalogue') {
    return { settledToMs: fetchedAtMs < toMs ? toMs : fromMs, recheckAtMs: null }
  }
  const settleMs = dataset.settleMs(granularity)
  const stepMs = gridStepMs(dataset, granularity)
  const finalMs = fetchedAtMs - settleMs
  if (toMs <= finalMs) return { settledToMs: toMs, recheckAtMs: null }
  const settledToMs = Math.max(fromMs, floorToStep(finalMs, stepMs))
  const nextMs = Math.min(toMs, floorToStep(Math.max(fromMs, finalMs), stepMs) + stepMs)
  return { settledToMs, recheckAtMs: nextMs + settleMs }
}
