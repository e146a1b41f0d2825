import { expect, test } from 'vitest'
import {
  chartGranularity,
  DAY_MS,
  daysGranularity,
  ohlcGranularity,
} from '../../api/granularity.ts'
import {
  CANDLE_STEPS,
  DAYS_CHART_STEPS,
  RANGE_CHART_STEPS,
  stepRuleText,
} from '../../api/step-rules.ts'
import type { StepRule } from '../../api/step-rules.ts'

const NOW_MS = Date.UTC(2026, 0, 1)

function stepOf(rules: readonly StepRule[], days: number, endsNow: boolean): string | undefined {
  return rules.find(
    ({ maxDays, mustEndNow }) => days <= (maxDays ?? Infinity) && (endsNow || !mustEndNow),
  )?.step
}

test.each(Array.from({ length: 200 }, (_, index) => index + 1))(
  'the rules that documents tell are those that are kept: %d days',
  (days) => {
    expect(stepOf(DAYS_CHART_STEPS, days, true)).toBe(daysGranularity(days))
    expect(stepOf(CANDLE_STEPS, days, true)).toBe(ohlcGranularity(days))
    for (const toMs of [NOW_MS, NOW_MS - 10 * DAY_MS]) {
      const window = { fromMs: toMs - days * DAY_MS, toMs, nowMs: NOW_MS }
      expect(stepOf(RANGE_CHART_STEPS, days, toMs === NOW_MS)).toBe(chartGranularity(window))
    }
  },
)

test('a rule in words', () => {
  expect(stepRuleText(RANGE_CHART_STEPS)).toBe(
    'up to 1 day ending now: 5m; up to 90 days: 1h; longer: 1d',
  )
})
