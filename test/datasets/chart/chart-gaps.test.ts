import { DAY_MS } from '../../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { GRANULARITY_MS } from '../../../api/granularity.ts'
import { chartGaps } from '../../../datasets/chart/chart-gaps.ts'
import { marketChart } from '../../../datasets/market-chart.ts'
import { pageOf } from '../context.ts'

const FROM_MS = Date.UTC(2024, 0, 1)
const HOUR_MS = GRANULARITY_MS['1h']

/** `chartGaps` of ten days by the hour with points at these hours, as hours from the first. */
function gapsOf(hours: readonly number[]) {
  const slice = { granularity: '1h', fromMs: FROM_MS, toMs: FROM_MS + 10 * DAY_MS } as const
  const context = pageOf(marketChart, { entity: 'bitcoin', vsCurrency: 'usd', ...slice })
  const gaps = chartGaps(
    Float64Array.from(hours, (hour) => FROM_MS + hour * HOUR_MS + 7_001),
    context,
  )
  const hoursOf = (ms: number): number => (ms - FROM_MS) / HOUR_MS
  return gaps.map(({ fromMs, toMs }) => [hoursOf(fromMs), hoursOf(toMs)])
}

const hours = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)

test.each([
  ['all points', hours(0, 240), []],
  ['a day without points', [...hours(0, 100), ...hours(124, 240)], []],
  ['a middle without points', [...hours(0, 100), ...hours(125, 240)], [[100, 125]]],
  ['the same, in another order', [...hours(125, 240), ...hours(0, 100)], [[100, 125]]],
  ['the first half', hours(0, 120), [[120, 240]]],
  ['a coin listed in the middle', hours(120, 240), [[0, 120]]],
  ['no point', [], [[0, 240]]],
  ['points of other times', hours(300, 540), [[0, 240]]],
  [
    'a point before and one in the middle',
    [-40, 120],
    [
      [0, 120],
      [121, 240],
    ],
  ],
])('%s', (_what, points, gaps) => {
  expect(gapsOf(points)).toEqual(gaps)
})
