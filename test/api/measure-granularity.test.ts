import { existsSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import { measureGranularity } from '../../api/measure-granularity.ts'

const START = Date.UTC(2024, 0, 1)
const GRANULARITIES = Object.keys(GRANULARITY_MS) as Granularity[]

test('a jittering series with holes and an early last point keeps its granularity', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...GRANULARITIES),
      fc.array(fc.record({ jitter: fc.double({ min: -0.14, max: 0.14, noNaN: true }) }), {
        minLength: 4,
        maxLength: 50,
      }),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      (granularity, points, last) => {
        const stepMs = GRANULARITY_MS[granularity]
        const times = points.map((point, i) => START + Math.round((i + point.jitter) * stepMs))
        times.push(times.at(-1)! + Math.round(last * stepMs))
        expect(measureGranularity(times)).toBe(granularity)
        expect(measureGranularity(times.toReversed())).toBe(granularity)
      },
    ),
  )
})

test.each([
  { name: 'no point', ms: [], is: null },
  { name: 'one point', ms: [0], is: null },
  { name: 'the same point twice', ms: [5, 5], is: null },
  { name: 'a midnight and now', ms: [0, 5 * 60_000 + 1], is: null },
  { name: 'two jittering hours', ms: [100, 3_600_900], is: null },
  { name: 'two candles on the grid', ms: [0, 4 * 3_600_000], is: '4h' },
  { name: 'two midnights', ms: [0, 86_400_000], is: '1d' },
  { name: 'two candles a step apart off the grid', ms: [7, 4 * 3_600_000 + 7], is: null },
  { name: 'a day apart off the grid', ms: [7, 86_400_007], is: '1d' },
  { name: 'one point four times', ms: [0, 0, 0, 0, 3_600_000, 7_200_000], is: '1h' },
  { name: 'two days apart off the grid', ms: [7, 86_500_000], is: '1d' },
  { name: 'two midnights and now', ms: [0, 86_400_000, 86_500_000], is: '1d' },
  { name: 'the near-duplicate last point', ms: [0, 300_000, 600_955, 600_000], is: '5m' },
])('$name: $is', ({ ms, is }) => {
  expect(measureGranularity(ms)).toBe(is)
})

describe('recordings', () => {
  const samples = new URL('../../../shared/samples/', import.meta.url)
  const cases = [
    ['coins-id-market_chart-1d-5min--julianfssen-coingecko_ruby.json', '5m'],
    ['coins-id-market_chart-1d-5min-b--julianfssen-coingecko_ruby.json', '5m'],
    ['coins-id-market_chart-90d-daily--julianfssen-coingecko_ruby.json', '1d'],
    ['coins-id-ohlc-7d-usd--julianfssen-coingecko_ruby.json', '4h'],
  ] as const
  for (const [file, is] of cases) {
    const url = new URL(file, samples)
    test(`${file}: ${is}`, ({ skip }) => {
      if (!existsSync(url)) skip('the recordings are not on this machine')
      const body = JSON.parse(readFileSync(url, 'utf8')) as { prices?: number[][] } & number[][]
      const points = body.prices ?? body
      expect(measureGranularity(points.map((point) => point[0]!))).toBe(is)
    })
  }
})
