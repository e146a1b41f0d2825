import { DAY_MS } from '../config/values/duration.ts'
import { type Granularity, GRANULARITY_MS, MAX_HOURLY_DAYS } from './granularity.ts'

/** A rule from a window to the step of its series. The first rule that fits counts. */
export interface StepRule<Step extends Granularity = Granularity> {
  /** Longest window in days, inclusive; Infinity: any. */
  maxDays: number
  mustEndNow: boolean
  /** Points jitter around it. */
  step: Step
}

function rule<Step extends Granularity>(maxDays: number, step: Step, mustEndNow = false) {
  return { maxDays, mustEndNow, step }
}

export const DAYS_CHART_STEPS = [rule(1, '5m'), rule(MAX_HOURLY_DAYS, '1h'), rule(Infinity, '1d')]

/** A day has fine points only when it ends now. */
export const RANGE_CHART_STEPS = [
  rule(1, '5m', true),
  rule(MAX_HOURLY_DAYS, '1h'),
  rule(Infinity, '1d'),
]

export const CANDLE_STEPS = [rule(2, '30m'), rule(30, '4h'), rule(Infinity, '4d')]

export const VOLUME_STEPS = [rule(1, '10m'), rule(14, '1h'), rule(Infinity, '1d')]

/** The step of a window that ends now, or at an earlier time. */
export function stepOf<Step extends Granularity>(
  rules: readonly StepRule<Step>[],
  days: number,
  endsNow = true,
): Step {
  return rules.find(({ maxDays, mustEndNow }) => days <= maxDays && (endsNow || !mustEndNow))!.step
}

/** The parameter `days` as a number; Infinity: `max`. */
export function daysOf(days: string | undefined): number {
  return days === 'max' ? Infinity : Number(days)
}

/** A `to` this far back still counts as now: the length of a 5-minute step. */
const NOW_TOLERANCE_MS = GRANULARITY_MS['5m']

/** The granularity of a `market_chart/range` answer without `interval`. Bounds in epoch ms, both inclusive. */
export function chartGranularity(fromMs: number, toMs: number, nowMs: number) {
  return stepOf(RANGE_CHART_STEPS, (toMs - fromMs) / DAY_MS, toMs >= nowMs - NOW_TOLERANCE_MS)
}

/** A rule in words: `up to 1 day ending now: 5m; up to 90 days: 1h; longer: 1d`. */
export function stepRuleText(rules: readonly StepRule[]): string {
  return rules
    .map(({ maxDays, mustEndNow, step }) => {
      if (maxDays === Infinity) return `longer: ${step}`
      const days = maxDays === 1 ? '1 day' : `${maxDays} days`
      return `up to ${days}${mustEndNow ? ' ending now' : ''}: ${step}`
    })
    .join('; ')
}
