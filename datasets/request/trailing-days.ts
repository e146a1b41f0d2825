import { OFFERED_DAYS } from '../../api/operations/params.ts'
import { floorTo, type Granularity } from '../../api/granularity.ts'
import { type StepRule, stepOf } from '../../api/step-rules.ts'
import { DAY_MS } from '../../config/values/duration.ts'
import type { PageContext, PageTables, Slice, StepContext } from '../dataset.ts'

/** The permitted `days` whose points have this granularity, ascending. */
export function permittedDays(
  rules: readonly StepRule[],
  granularity: Slice['granularity'],
): number[] {
  return OFFERED_DAYS.map(Number).filter((days) => stepOf(rules, days) === granularity)
}

/** The source's reach: the longest permitted time back from now. */
export function trailingReachMs(
  rules: readonly StepRule[],
  granularity: Slice['granularity'],
): number {
  return permittedDays(rules, granularity).at(-1)! * DAY_MS
}

/** The gap at the start of an answer: whole steps that the source has let go of since the plan. */
export function lostStart(
  rules: readonly StepRule[],
  { slice, nowMs }: Pick<PageContext, 'slice' | 'nowMs'>,
): NonNullable<PageTables['gaps']> {
  const { fromMs, toMs, granularity } = slice
  const reachMs = trailingReachMs(rules, granularity)
  const lostToMs = Math.min(toMs, floorTo(nowMs - reachMs, granularity as Granularity))
  return fromMs < lostToMs ? [{ fromMs, toMs: lostToMs }] : []
}

/**
 * The smallest permitted `days` back from now that reach the start of a slice. Attempt 2 takes the next longer window,
 * which is further from the edge where the granularity changes.
 */
export function trailingDays(
  rules: readonly StepRule[],
  slice: Slice,
  context: StepContext,
): string {
  const permitted = permittedDays(rules, slice.granularity)
  const smallest = permitted.findIndex((days) => days * DAY_MS >= context.nowMs - slice.fromMs)
  const index = smallest < 0 ? permitted.length - 1 : smallest + context.attempt - 1
  return String(permitted[Math.min(index, permitted.length - 1)]!)
}
