import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { floorTo } from '../../api/granularity.ts'
import { CANDLE_STEPS, chartGranularity, DAYS_CHART_STEPS, stepOf } from '../../api/step-rules.ts'

const NOW = Date.UTC(2025, 5, 15, 12, 34, 56)

test.each([
  { name: 'a day ending now', days: 1, endsAgoMs: 0, is: '5m' },
  { name: 'an hour ending a minute ago', days: 1 / 24, endsAgoMs: 60_000, is: '5m' },
  { name: 'an hour ending five minutes ago', days: 1 / 24, endsAgoMs: 300_000, is: '5m' },
  { name: 'a day ending in the future', days: 1, endsAgoMs: -3_600_000, is: '5m' },
  { name: 'a day ending yesterday', days: 1, endsAgoMs: DAY_MS, is: '1h' },
  { name: 'a second more than a day', days: 1 + 1 / 86_400, endsAgoMs: 0, is: '1h' },
  { name: '90 days', days: 90, endsAgoMs: 0, is: '1h' },
  { name: 'a second more than 90 days', days: 90 + 1 / 86_400, endsAgoMs: 0, is: '1d' },
  { name: '2 years in the past', days: 730, endsAgoMs: DAY_MS, is: '1d' },
])('a chart of $name has $is points', ({ days, endsAgoMs, is }) => {
  const toMs = NOW - endsAgoMs
  expect(chartGranularity(toMs - days * DAY_MS, toMs, NOW)).toBe(is)
})

test.each([
  [0.004167, '5m'],
  [1, '5m'],
  [2, '1h'],
  [90, '1h'],
  [91, '1d'],
  [Infinity, '1d'],
] as const)('market_chart of %s days has %s points', (days, is) => {
  expect(stepOf(DAYS_CHART_STEPS, days)).toBe(is)
})

test.each([
  [1, '30m'],
  [2, '30m'],
  [7, '4h'],
  [30, '4h'],
  [31, '4d'],
  [365, '4d'],
  [Infinity, '4d'],
] as const)('ohlc of %s days has %s candles', (days, is) => {
  expect(stepOf(CANDLE_STEPS, days)).toBe(is)
})

test.each([
  ['5m', '2025-06-15T12:30:00Z'],
  ['30m', '2025-06-15T12:30:00Z'],
  ['1h', '2025-06-15T12:00:00Z'],
  ['4h', '2025-06-15T12:00:00Z'],
  ['1d', '2025-06-15T00:00:00Z'],
  ['4d', '2025-06-13T00:00:00Z'],
] as const)('the %s step of 12:34:56 starts at %s', (granularity, start) => {
  expect(floorTo(NOW, granularity)).toBe(Date.parse(start))
  expect(floorTo(Date.parse(start), granularity)).toBe(Date.parse(start))
})
