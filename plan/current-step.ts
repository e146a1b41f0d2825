import type { Dataset, Slice } from '../datasets/dataset.ts'
import { floorToStep, gridStepMs } from './utc-grid.ts'

/** The newest step of a series that may have a point. */
export interface CurrentStep {
  fromMs: number
  toMs: number
  /** The source has the step's point from this time on, at its usual lateness. */
  dueMs: number
}

/** The step that holds `nowMs`; for candles, which appear when they close, the step before it. */
export function currentStep(
  dataset: Dataset,
  granularity: Slice['granularity'],
  nowMs: number,
): CurrentStep {
  const stepMs = gridStepMs(dataset, granularity)
  const fromMs = floorToStep(nowMs, stepMs) - (dataset.isOfCandles === true ? stepMs : 0)
  return { fromMs, toMs: fromMs + stepMs, dueMs: fromMs + dataset.lateMs(granularity) }
}
