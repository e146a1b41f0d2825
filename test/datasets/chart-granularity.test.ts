import { expect, test } from 'vitest'
import { chartGranularityOf } from '../../datasets/chart-granularity.ts'

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
  expect(chartGranularityOf(times)).toBe(granularity)
})
