import { expect, test } from 'vitest'
import { chartGranularityOf } from '../../../datasets/chart/chart-granularity.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)

function every(stepMs: number, count: number, offsetMs = 0): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => START + offsetMs + i * stepMs)
}

test.each([
  ['hourly points', every(HOUR, 48, 31_417), '1h'],
  ['5-minute points', every(300_000, 200, 999), '5m'],
  ['a coin that trades every 10 minutes', every(600_000, 100, 999), '5m'],
  [
    'daily points at midnight and a last one at now',
    Float64Array.of(...every(24 * HOUR, 91), START + 2_200 * HOUR - 1),
    '1d',
  ],
  ['a coin that trades every 5 hours', every(5 * HOUR, 20, 12_345), '1h'],
  ['a coin that trades once a day in the afternoon', every(24 * HOUR, 20, 15 * HOUR), '1h'],
  ['one point', every(HOUR, 1), null],
] as const)('%s', (_, times, granularity) => {
  expect(chartGranularityOf(times, '1h')).toBe(granularity)
})

test.each([
  ['at noon', every(24 * HOUR, 20, 12 * HOUR), '1d'],
  ['with a gap of days', every(72 * HOUR, 20, 15 * HOUR), '1d'],
  ['of a coin of two days, and a last one at now', every(24 * HOUR, 2, 5 * HOUR), '1d'],
] as const)('daily points %s, where daily ones were asked for', (_, times, granularity) => {
  expect(chartGranularityOf(times, '1d')).toBe(granularity)
})

test('points half an hour apart are of the step that was asked for', () => {
  for (const wanted of ['5m', '1h'] as const)
    expect(chartGranularityOf(every(HOUR / 2, 48, 999), wanted)).toBe(wanted)
})

test('hourly points stay hourly where daily ones were asked for', () => {
  expect(chartGranularityOf(every(HOUR, 48, 31_417), '1d')).toBe('1h')
  expect(chartGranularityOf(every(5 * HOUR, 48), '1d')).toBe('1h')
})
