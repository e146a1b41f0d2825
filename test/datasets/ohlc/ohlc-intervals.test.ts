import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../config/values/duration.ts'
import type { Row } from '../../../datasets/dataset.ts'
import {
  CANDLE_INTERVALS,
  intervalStart,
  mergedCandles,
} from '../../../datasets/ohlc/ohlc-intervals.ts'

/** A Wednesday. */
const START_MS = Date.UTC(2025, 5, 11)

function candle(ms: number, [open, high, low, close]: (number | null)[]): Row {
  return { ts: ms, open: open!, high: high!, low: low!, close: close! }
}

test('the first open, the highest high, the lowest low, the last close', () => {
  const held = [
    candle(START_MS, [10, 12, 9, 11]),
    candle(START_MS + 4 * HOUR_MS, [11, 15, 11, 14]),
    candle(START_MS + 20 * HOUR_MS, [14, 14, 8, 9]),
    candle(START_MS + DAY_MS, [9, 9, 9, 9]),
  ]
  expect(mergedCandles(CANDLE_INTERVALS['daily']!, [held])).toEqual([
    { ts: START_MS, close_at: START_MS + DAY_MS, open: 10, high: 15, low: 8, close: 9 },
    { ts: START_MS + DAY_MS, close_at: START_MS + 2 * DAY_MS, open: 9, high: 9, low: 9, close: 9 },
  ])
})

test('a step is made from the first kind that has any of it; others fill what is missing', () => {
  const coarse = [candle(START_MS + DAY_MS, [20, 20, 20, 20])]
  const fine = [candle(START_MS, [1, 2, 1, 2]), candle(START_MS + DAY_MS, [5, 5, 5, 5])]
  const opens = mergedCandles(CANDLE_INTERVALS['daily']!, [coarse, fine]).map(({ open }) => open)
  expect(opens).toEqual([1, 20])
})

test('the step in which the candles begin is left out, unless a finer kind has its start', () => {
  const begun = [START_MS + 16 * HOUR_MS, START_MS + DAY_MS].map((ms) => candle(ms, [7, 7, 7, 7]))
  const opensOf = (name: string, ...held: Row[][]) =>
    mergedCandles(CANDLE_INTERVALS[name]!, held).map(({ open }) => open)
  expect(opensOf('daily', begun)).toEqual([7])
  expect(opensOf('weekly', begun)).toEqual([])
  expect(opensOf('daily', begun, [candle(START_MS, [5, 5, 5, 5])])).toEqual([5, 7])
})

test('a value that is not known does not hide those that are', () => {
  const held = [
    candle(START_MS, [null, null, 3, 4]),
    candle(START_MS + HOUR_MS, [4, 6, null, null]),
  ]
  expect(mergedCandles(CANDLE_INTERVALS['daily']!, [held])).toMatchObject([
    { open: null, high: 6, low: 3, close: 4 },
  ])
})

test.each([
  ['hourly', Date.UTC(2025, 5, 11, 12, 34), '2025-06-11T12:00:00.000Z'],
  ['daily', Date.UTC(2025, 5, 11, 12, 34), '2025-06-11T00:00:00.000Z'],
  ['weekly', Date.UTC(2025, 5, 11, 12, 34), '2025-06-09T00:00:00.000Z'],
  ['weekly', Date.UTC(2025, 5, 9), '2025-06-09T00:00:00.000Z'],
  ['weekly', Date.UTC(2025, 5, 8, 23, 59), '2025-06-02T00:00:00.000Z'],
])('%s: the step of %d begins at %s', (name, ms, start) => {
  expect(new Date(intervalStart(ms, CANDLE_INTERVALS[name]!)).toISOString()).toBe(start)
})
