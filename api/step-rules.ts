import {
  MAX_FIVE_MINUTE_DAYS,
  MAX_FOUR_HOUR_CANDLE_DAYS,
  MAX_HALF_HOUR_CANDLE_DAYS,
  MAX_HOURLY_DAYS,
} from './granularity.ts'

/** A rule from a window to the step of its series. The first rule that fits counts. */
export interface StepRule {
  /** Longest window in days, inclusive; null: any. */
  maxDays: number | null
  mustEndNow: boolean
  /** `5m`, `1h`, `1d`. Points jitter around it. */
  step: string
}

function rule(maxDays: number | null, step: string, mustEndNow = false): StepRule {
  return { maxDays, mustEndNow, step }
}

export const DAYS_CHART_STEPS: readonly StepRule[] = [
  rule(MAX_FIVE_MINUTE_DAYS, '5m'),
  rule(MAX_HOURLY_DAYS, '1h'),
  rule(null, '1d'),
]

/** A day has fine points only when it ends now. */
export const RANGE_CHART_STEPS: readonly StepRule[] = [
  rule(MAX_FIVE_MINUTE_DAYS, '5m', true),
  rule(MAX_HOURLY_DAYS, '1h'),
  rule(null, '1d'),
]

export const CANDLE_STEPS: readonly StepRule[] = [
  rule(MAX_HALF_HOUR_CANDLE_DAYS, '30m'),
  rule(MAX_FOUR_HOUR_CANDLE_DAYS, '4h'),
  rule(null, '4d'),
]

/** Longest volume chart with ten-minute points, and with hourly points, in days. */
const MAX_TEN_MINUTE_VOLUME_DAYS = 1
const MAX_HOURLY_VOLUME_DAYS = 14

export const VOLUME_STEPS: readonly StepRule[] = [
  rule(MAX_TEN_MINUTE_VOLUME_DAYS, '10m'),
  rule(MAX_HOURLY_VOLUME_DAYS, '1h'),
  rule(null, '1d'),
]

/** A rule in words: `up to 1 day ending now: 5m; up to 90 days: 1h; longer: 1d`. */
export function stepRuleText(rules: readonly StepRule[]): string {
  return rules
    .map(({ maxDays, mustEndNow, step }) => {
      if (maxDays === null) return `longer: ${step}`
      const days = maxDays === 1 ? '1 day' : `${maxDays} days`
      return `up to ${days}${mustEndNow ? ' ending now' : ''}: ${step}`
    })
    .join('; ')
}
