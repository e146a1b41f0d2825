import { DAY_MS, MINUTE_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { planSlices } from '../../plan/plan-slices.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const START = Date.UTC(2024, 5, 1)
const hour = (at: number, minutes = 0): number => Date.UTC(2024, 5, 15, at, minutes)

const dataset = testDataset({ name: 'market_chart', kind: 'range' })
const name = { dataset: 'market_chart', entity: 'bitcoin', vsCurrency: 'usd' } as const
const series = { ...name, granularity: '1h' } as const

/** Slices that are planned at a moment of a series that is there up to another. */
function asked(nowMs: number, settledToMs: number, kind: Partial<typeof dataset> = {}) {
  const wanted = [wantedOf({ dataset: 'market_chart', fromMs: START })]
  const covered = [{ ...series, fromMs: START, toMs: settledToMs }]
  const datasets = [{ ...dataset, ...kind }]
  const { slices } = planSlices(planInput({ wanted, covered, nowMs, datasets }))
  return slices.map(({ fromMs, toMs }) => [fromMs, toMs])
}

test('what lacks this hour only waits until the source has its point', () => {
  expect(asked(hour(14, 29), hour(14))).toEqual([])
  expect(asked(hour(14, 30), hour(14))).toEqual([[hour(14), hour(15)]])
})

test('a call that is made anyway takes this hour along, from where the last one settled', () => {
  expect(asked(hour(14, 2), hour(12, 44))).toEqual([[hour(12, 44), hour(15)]])
})

test('a candle is asked for when it has closed and no answer from before is kept any more', () => {
  const candles = { kind: 'trailing', isOfCandles: true, lateMs: () => 75 * MINUTE_MS } as const
  expect(asked(hour(14, 14), hour(13), candles)).toEqual([])
  expect(asked(hour(14, 15), hour(13), candles)).toEqual([[hour(13), hour(14)]])
  expect(asked(hour(14, 14), hour(12), candles)).toEqual([[hour(12), hour(14)]])
})

test('the last piece of a long history waits, too, when it is this hour alone', () => {
  const pieces = { maxSliceMs: () => DAY_MS }
  const settledTo = hour(14) - 2 * DAY_MS
  expect(asked(hour(14, 5), settledTo, pieces)).toHaveLength(2)
  expect(asked(hour(14, 35), settledTo, pieces)).toHaveLength(3)
})
