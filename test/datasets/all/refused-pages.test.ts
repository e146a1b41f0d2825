import { expect, test } from 'vitest'
import { SourceDataError } from '../../../api/errors.ts'
import { assetPlatforms } from '../../../datasets/asset-platforms.ts'
import { mayBeCrowded, MOST_KEYS, refuseCrowded } from '../../../datasets/record/crowded-objects.ts'
import { globalMarket } from '../../../datasets/global-market.ts'
import { marketChart } from '../../../datasets/market-chart.ts'
import { MOST_REJECTED } from '../../../datasets/record/rejected-rows.ts'
import { ohlc } from '../../../datasets/ohlc.ts'
import { exchangeVolumeChart } from '../../../datasets/exchange-volume-chart.ts'
import { pageOf } from '../context.ts'

const times = (count: number, item: unknown): unknown[] => Array<unknown>(count).fill(item)

function keyed(count: number, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]))
}

test('a page is read with as many refused rows as the bound, and refused whole with one more', () => {
  const page = pageOf(assetPlatforms)
  const good = { id: 'ethereum' }
  const tables = assetPlatforms.toTables([good, ...times(MOST_REJECTED, {})], page)
  expect(tables.rejected).toHaveLength(MOST_REJECTED)
  expect(tables.tables[0]?.rows.numRows).toBe(1)
  const more = [good, ...times(MOST_REJECTED + 1, {})]
  expect(() => assetPlatforms.toTables(more, page)).toThrow(
    new SourceDataError(
      'more than 5000 rows of the answer break a rule, the first at $[1].id (missing_platform_id)',
    ),
  )
})

test('refused points of all arrays of a chart are counted together', () => {
  const slice = { entity: 'bitcoin', vsCurrency: 'usd', granularity: '1h' } as const
  const page = pageOf(marketChart, slice)
  const half = times(MOST_REJECTED / 2, 'x')
  const chart = { prices: half, market_caps: half, total_volumes: [] as unknown[] }
  expect(marketChart.toTables(chart, page).rejected).toHaveLength(MOST_REJECTED)
  chart.total_volumes = ['x']
  expect(() => marketChart.toTables(chart, page)).toThrow('the first at $.prices[0] (not_a_point)')
})

test('refused members of the maps of a body are counted together', () => {
  const maps = { total_market_cap: keyed(3_000, 'x'), total_volume: keyed(3_000, 'x') }
  const body = { data: { active_cryptocurrencies: 1, ...maps } }
  expect(() => globalMarket.toTables(body, pageOf(globalMarket))).toThrow(
    'more than 5000 rows of the answer break a rule, the first at $.data.total_market_cap.k0 (not_a_number)',
  )
})

const SECONDS = [1_709_251_200, 1_709_254_800]
const POINTS = SECONDS.map((s) => [s, 1])
test.each([
  [marketChart, { prices: POINTS, market_caps: POINTS, total_volumes: POINTS }],
  [ohlc, SECONDS.map((s) => [s, 1, 1, 1, 1])],
  [exchangeVolumeChart, SECONDS.map((s) => [s, '1'])],
])('$name: times in seconds are named, unless the answer was accepted before', (dataset, body) => {
  const [granularity] = dataset.granularities
  const slice = { entity: 'x', vsCurrency: 'usd', granularity: granularity! }
  expect(() => dataset.toTables(body, pageOf(dataset, slice))).toThrow(
    new SourceDataError('$ has times in seconds, not milliseconds: the first is 1709251200'),
  )
  const kept = dataset.toTables(body, { ...pageOf(dataset, slice), isKept: true })
  expect(kept.itemCount).toBe(2)
})

test('an object of more keys than the bound is named, wherever it stands', () => {
  const most = keyed(MOST_KEYS, 1)
  const crowded = keyed(MOST_KEYS + 1, 1)
  for (const [place, body] of [
    ['$', (one: object) => one],
    ['$[*]', (one: object) => [{}, one]],
    ['$.a.b[*][*].c', (one: object) => ({ a: { b: [[1, { c: one }]] } })],
  ] as const) {
    expect(mayBeCrowded(Buffer.from(JSON.stringify(body(crowded))))).toBe(true)
    expect(() => refuseCrowded(body(most))).not.toThrow()
    expect(() => refuseCrowded(body(crowded))).toThrow(
      new SourceDataError(`${place} has 5001 keys; coinlake accepts at most 5000 in one object`),
    )
  }
})

test('a body that is nested without end is no end of the look for crowded objects', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(() => refuseCrowded({ deep, nothing: null })).not.toThrow()
})
