import type { Dataset, Slice } from '../datasets/dataset.ts'
import type { Interval } from './intervals.ts'
import { floorToStep, gridStepMs } from './utc-grid.ts'

/** The newest step of a series that may have a point. */
export interface NewestStep extends Interval {
  /** From this time on the source usually has the step's point. */
  dueMs: number
}

/** The step that holds `nowMs`. For candles the step before it, because a candle appears at its close. */
export function newestStep(
  dataset: Dataset,
  granularity: Slice['granularity'],
  nowMs: number,
): NewestStep {
  const stepMs = gridStepMs(dataset, granularity)
  const fromMs = floorToStep(nowMs, stepMs) - (dataset.isOfCandles === true ? stepMs : 0)
  return { fromMs, toMs: fromMs + stepMs, dueMs: fromMs + dataset.lateMs(granularity) }
}
