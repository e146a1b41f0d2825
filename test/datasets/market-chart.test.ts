import { DAY_MS } from '../../config/values/duration.ts'
import {
  assert,
  double,
  infiniteStream,
  integer,
  nat,
  option,
  property,
  tuple,
  uniqueArray,
} from 'fast-check'
import { expect, test } from 'vitest'
import { floorTo, GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import { SourceDataError } from '../../api/errors.ts'
import { MARKET_CHART, marketChart } from '../../datasets/market-chart.ts'
import { NOW_MS, pageOf } from './context.ts'
import { rowsOf } from './rows-of.ts'
import { Warehouse } from './warehouse.ts'

type Body = Record<'prices' | 'market_caps' | 'total_volumes', [number, number | null][]>

function tablesOf(body: unknown, granularity: Granularity = '1h', slice = {}) {
  const context = pageOf(marketChart, { entity: 'x y', vsCurrency: 'usd', granularity, ...slice })
  const page = marketChart.toTables(body, context)
  return { page, rows: rowsOf(MARKET_CHART, page.tables[0]!.rows) }
}

/** A body with the same points in each array. */
const same = (points: unknown[]) => ({ prices: points, market_caps: points, total_volumes: points })

function roundTrip(body: unknown): unknown {
  const warehouse = new Warehouse()
  warehouse.load(marketChart, body, { entity: 'x y', vsCurrency: 'usd', granularity: '1h' })
  const params = { id: 'x y', vs_currency: 'usd', days: 'max', interval: 'hourly' }
  return warehouse.answer('coins/{id}/market_chart', params)
}

test('arrays are joined by timestamp, not by index', () => {
  const caps = [2, 3].map((ms) => [ms, ms === 2 ? 200 : null])
  const prices = [1, 3].map((ms) => [ms, 10 * ms])
  const { rows } = tablesOf({ prices, market_caps: caps, total_volumes: [] })
  expect(rows.map((row) => [row['ts'], row['price'], row['market_cap'], row['_absent']])).toEqual([
    [1, 10, null, '["market_caps","total_volumes"]'],
    [2, null, 200, '["prices","total_volumes"]'],
    [3, 30, null, '["total_volumes"]'],
  ])
  expect(rows.every((row) => row['_extra'] === null)).toBe(true)
})

test('a duplicate timestamp: the last value wins and is counted', () => {
  const { rows, page } = tablesOf(same([1, 2, 1].map((ms, place) => [ms, place])))
  expect(rows.map((row) => [row['ts'], row['price']])).toEqual([
    [1, 2],
    [2, 1],
  ])
  expect(page.counts).toEqual({ outsideSlice: 0, duplicate: 1, future: 0 })
})

test.each([
  ['each its own', [1, 1, 2, 3], [1, 2, 2, 3], [1, 2, 3, 3], 3],
  ['all the same', [1, 1, 2, 3], [1, 1, 2, 3], [1, 1, 2, 3], 1],
  ['one of them twice', [1, 1, 2, 3], [1, 1, 1, 2, 3], [1, 2, 3, 3], 3],
])('of arrays that repeat timestamps, %s, each repetition counts once', (_, ...arrays) => {
  const [prices, market_caps, total_volumes] = arrays
    .slice(0, 3)
    .map((times) => (times as number[]).map((ms, place) => [ms, place]))
  const { rows, page } = tablesOf({ prices, market_caps, total_volumes })
  expect([rows.length, page.counts.duplicate]).toEqual([3, arrays[3]])
})

test('the slice is half-open and what lies outside is counted', () => {
  const points = [10, 20, 30, 40].map((ms) => [ms, ms])
  const { rows, page } = tablesOf(same(points), '1h', { fromMs: 20, toMs: 40 })
  expect(rows.map((row) => row['ts'])).toEqual([20, 30])
  expect(page.counts.outsideSlice).toBe(2)
})

test('an answer whose points all come after the requested range is refused, and no empty slice', () => {
  const rows = (...times: number[]): number => {
    const points: Body['prices'] = times.map((ms) => [ms, 1])
    return tablesOf(same(points), '1h', { fromMs: 10 * DAY_MS, toMs: 11 * DAY_MS }).rows.length
  }
  expect(() => rows(30 * DAY_MS, 31 * DAY_MS)).toThrow('all after the requested end')
  // Of a coin that is gone a source may send its last points, and one point more is often sent.
  expect(rows(30 * DAY_MS)).toBe(0)
  expect(rows(8 * DAY_MS, 9 * DAY_MS)).toBe(0)
  expect(rows(10 * DAY_MS, 31 * DAY_MS)).toBe(1)
})

test.each([
  ['a text for a number', [5, '1.5'], 'not_a_number', '$.prices[1][1]', '[5,"1.5"]'],
  ['1e400', [5, Infinity], 'not_finite', '$.prices[1][1]', '[5,1e999]'],
  ['a text for a time', ['5', 1], 'not_a_timestamp', '$.prices[1][0]', '["5",1]'],
  ['half a millisecond', [5.5, 1], 'not_a_timestamp', '$.prices[1][0]', '[5.5,1]'],
  [
    'a time beyond microseconds',
    [1e13, 1],
    'not_a_timestamp',
    '$.prices[1][0]',
    '[10000000000000,1]',
  ],
  ['three members', [5, 1, 2], 'not_a_point', '$.prices[1]', '[5,1,2]'],
  ['null', null, 'not_a_point', '$.prices[1]', 'null'],
])('%s costs one point, not its siblings', (_, bad, rule, path, raw) => {
  const good = [1, 9].map((ms) => [ms, ms])
  const { page, rows } = tablesOf({ ...same(good), prices: [good[0], bad, good[1]] })
  expect(page.rejected).toEqual([{ rule, path, raw }])
  expect(rows.map((row) => row['ts'])).toEqual([1, 9])
})

const POINTS = [
  [1, 10],
  [2, null],
]
test.each([
  ['prices', { market_caps: POINTS, total_volumes: POINTS }, [null, 10, 10]],
  ['market_caps', { prices: POINTS, total_volumes: POINTS }, [10, null, 10]],
  ['total_volumes', { prices: POINTS, market_caps: POINTS }, [10, 10, null]],
])('without %s: the others land, and the body comes back without it', (key, body, values) => {
  const { rows, page } = tablesOf(body)
  expect(rows.map((row) => [row['price'], row['market_cap'], row['total_volume']])).toEqual([
    values,
    [null, null, null],
  ])
  expect(rows.map((row) => row['_absent'])).toEqual([`["${key}[]"]`, `["${key}[]"]`])
  expect(page).toMatchObject({
    rejected: [{ rule: 'array_missing', path: `$.${key}`, raw: 'null' }],
    counts: { duplicate: 0 },
  })
  expect(roundTrip(body)).toEqual(body)
})

test('an array that is not there is told from one without a point here, and from one that is empty', () => {
  const body = { prices: [[1, 10]], total_volumes: [[2, 20]] }
  expect(tablesOf(body).rows.map((row) => row['_absent'])).toEqual([
    '["market_caps[]","total_volumes"]',
    '["prices","market_caps[]"]',
  ])
  expect(roundTrip(body)).toEqual(body)
  const whole = { ...body, market_caps: [] }
  expect(roundTrip(whole)).toEqual(whole)
})

test('what stands in place of an array is set aside, and the others land', () => {
  const { rows, page } = tablesOf({ prices: POINTS, market_caps: null, total_volumes: { a: 1 } })
  expect(rows.map((row) => row['price'])).toEqual([10, null])
  expect(page.rejected).toEqual([
    { rule: 'not_an_array', path: '$.market_caps', raw: 'null' },
    { rule: 'not_an_array', path: '$.total_volumes', raw: '{"a":1}' },
  ])
})

test('of two answers, one without market caps, the caps of the other are served', () => {
  const warehouse = new Warehouse()
  const dayMs = GRANULARITY_MS['1d']
  const first = { prices: [[0, 1]], total_volumes: [[0, 2]] }
  const second = { prices: [[dayMs, 3]], market_caps: [[dayMs, 4]], total_volumes: [[dayMs, 5]] }
  for (const [day, body] of [first, second].entries()) {
    const bounds = { fromMs: day * dayMs, toMs: (day + 1) * dayMs }
    const series = { entity: 'x', vsCurrency: 'usd', granularity: '1d', ...bounds } as const
    warehouse.load(marketChart, body, series)
  }
  const params = { id: 'x', vs_currency: 'usd', days: 'max', interval: 'daily' }
  expect(warehouse.answer('coins/{id}/market_chart', params)).toEqual({
    prices: [...first.prices, ...second.prices],
    market_caps: second.market_caps,
    total_volumes: [...first.total_volumes, ...second.total_volumes],
  })
})

test.each([[null], [[]], [{ prices: [], market_caps: [] }], [{ prices: {} }]])(
  'a body of another shape is refused: %j',
  (body) => {
    expect(() => tablesOf(body)).toThrow(SourceDataError)
  },
)

test('unknown keys are counted', () => {
  const body = { prices: [], market_caps: [], total_volumes: [], status: {} }
  expect(tablesOf(body).page.unknownPaths).toEqual({ '$.status': 1 })
})

test('granularity is measured over the whole answer, whatever the slice keeps', () => {
  const points = Array.from({ length: 91 }, (_, day) => [day * GRANULARITY_MS['1d'], 1])
  const { page, rows } = tablesOf(same(points), '1h', { fromMs: 0, toMs: 1 })
  expect(rows).toHaveLength(1)
  expect(page.deliveredGranularity).toBe('1d')
})

const time = integer({ min: 0, max: NOW_MS })
const value = option(double({ noNaN: true, noDefaultInfinity: true }))
const series = uniqueArray(tuple(time, value), { selector: ([ms]) => ms, maxLength: 30 })

test('any one order of points, with gaps in any array, comes back as it was', () => {
  const body = tuple(
    uniqueArray(time, { maxLength: 30 }),
    infiniteStream(tuple(nat(7), value, value, value)),
  ).map(([times, stream]): Body => {
    const rows = times.map((ms) => ({ ms, row: stream.next().value! }))
    const seriesOf = (bit: number): [number, number | null][] =>
      rows.flatMap(({ ms, row }) => (row[0] & bit ? [[ms, row[Math.log2(bit) + 1]!]] : []))
    return { prices: seriesOf(1), market_caps: seriesOf(2), total_volumes: seriesOf(4) }
  })
  assert(
    property(body, (body) => {
      const empty = Object.values(body).every((points) => points.length === 0)
      expect(roundTrip(body)).toEqual(empty ? null : body)
    }),
  )
})

test('every timestamp is in the table, outside the slice, or a duplicate', () => {
  assert(
    property(series, series, series, time, (prices, caps, volumes, toMs) => {
      // The first point lies in the request: an answer all behind it is refused.
      const inside: [number, number] = [0, 1]
      const body = {
        prices: [inside, ...prices.filter(([ms]) => ms > 0)],
        market_caps: caps,
        total_volumes: volumes,
      }
      const { page, rows } = tablesOf(body, '1h', { toMs: toMs + 1 })
      const times = new Set([...body.prices, ...caps, ...volumes].map(([ms]) => ms))
      expect(rows.length + page.counts.outsideSlice).toBe(times.size)
      for (const row of rows) {
        const ms = row['ts'] as number
        expect(row['bucket_at']).toBe(floorTo(ms, '1h'))
        expect(row['price']).toBe(body.prices.find(([at]) => at === ms)?.[1] ?? null)
      }
    }),
  )
})
