import { expect, test } from 'vitest'
import { RANGE_CHART_STEPS, stepRuleText } from '../../api/step-rules.ts'

test('a rule in words', () => {
  expect(stepRuleText(RANGE_CHART_STEPS)).toBe(
    'up to 1 day ending now: 5m; up to 90 days: 1h; longer: 1d',
  )
})
