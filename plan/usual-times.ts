import type { Dataset, Slice } from '../datasets/dataset.ts'
import { currentStep } from './current-step.ts'

/**
 * Times of the last points that an answer to the end of a series usually has: one on each step, as soon
 * as the source is no more late with it, and the moving one.
 */
export function usualTimes(slice: Slice, fetchedAtMs: number, dataset: Dataset): number[] {
  const { fromMs, toMs, granularity } = slice
  const step = currentStep(dataset, granularity, fetchedAtMs)
  const stepMs = step.toMs - step.fromMs
  const newestMs = fetchedAtMs < step.dueMs ? step.fromMs - stepMs : step.fromMs
  const earliestMs = Math.max(fromMs, fetchedAtMs - dataset.settleMs(granularity) - stepMs)
  const times: number[] = dataset.isOfCandles === true ? [] : [fetchedAtMs]
  for (let ms = newestMs; ms >= earliestMs; ms -= stepMs) times.unshift(ms)
  return times.filter((ms) => ms < toMs)
}
