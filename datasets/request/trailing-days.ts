import { DAY_MS } from '../../config/values/duration.ts'
import type { Slice, StepContext } from '../dataset.ts'

/**
 * The smallest permitted `days` back from now that reach the start of a slice. Attempt 2 takes the next longer window,
 * which is further from the edge where the granularity changes.
 *
 * @param permitted ascending
 */
export function trailingDays(
  permitted: readonly number[],
  slice: Slice,
  context: StepContext,
): string {
  const smallest = permitted.findIndex((days) => days * DAY_MS >= context.nowMs - slice.fromMs)
  const index = smallest < 0 ? permitted.length - 1 : smallest + context.attempt - 1
  return String(permitted[Math.min(index, permitted.length - 1)]!)
}
