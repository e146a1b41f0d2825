import { DAY_MS } from '../../config/values/duration.ts'
import { describe, expect, test } from 'vitest'
import { type Granularity, GRANULARITY_MS } from '../../api/granularity.ts'
import { exchangeVolumeChart } from '../../datasets/exchange-volume-chart.ts'
import { exchanges } from '../../datasets/exchanges.ts'
import { NOW_MS, stepsOf } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'exchanges/{id}/volume_chart'
const ID = 'binance_futures'
const STEP = GRANULARITY_MS['10m']

function sliceOf(
  granularity: Granularity = '10m',
  bounds: { fromMs?: number; toMs?: number } = {},
) {
  return { entity: ID, granularity, ...bounds }
}

function rowsFor(body: unknown, bounds: { fromMs?: number; toMs?: number } = {}) {
  const { page, rows } = tablesOf(exchangeVolumeChart, body, sliceOf('10m', bounds))
  return { page, rows: rows['exchange_volume_chart']! }
}

test('points outside the slice and repeated ones are counted apart, order is that of time', () => {
  const body = [4, 2, 3, 1, 2].map((n, index) => [n * STEP, String(index)])
  const { rows, page } = rowsFor(body, { fromMs: 2 * STEP, toMs: 4 * STEP })
  expect(rows.map((row) => [row['ts'], row['volume_24h_btc_text']])).toEqual([
    [2 * STEP, '4'],
    [3 * STEP, '2'],
  ])
  expect(page.counts).toEqual({ outsideSlice: 2, duplicate: 1, future: 0 })
})

test('points may be missing', () => {
  const body = [0, 1, 3, 6].map((n) => [n * STEP, '1'])
  expect(rowsFor(body).page.deliveredGranularity).toBe('10m')
})

describe('the answer', () => {
  const warehouse = new Warehouse()
  for (const granularity of ['10m', '1h', '1d'] as const) {
    const stepMs = GRANULARITY_MS[granularity]
    const body = Array.from({ length: 400 }, (_, n) => [
      NOW_MS - n * stepMs,
      `${n}.${granularity.length}`,
    ])
    warehouse.load(exchangeVolumeChart, body, sliceOf(granularity))
  }
  const times = (params: object, nowMs = NOW_MS) =>
    (warehouse.answer(OPERATION, { id: ID, ...params }, nowMs) as [number, string][]).map(
      ([ms]) => ms,
    )

  test.each([
    [{}, '10m', 145],
    [{ days: '1' }, '10m', 145],
    [{ days: '7' }, '1h', 7 * 24 + 1],
    [{ days: '14' }, '1h', 14 * 24 + 1],
    [{ days: '30' }, '1d', 31],
    [{ days: '365' }, '1d', 366],
  ] as const)('%j has points of %s up to now', (params, granularity, count) => {
    expect(times(params)).toHaveLength(count)
    expect(times(params).at(-1)).toBe(NOW_MS)
    expect(NOW_MS - times(params).at(-2)!).toBe(GRANULARITY_MS[granularity])
  })

  test('ends at the clock of the service', () => {
    expect(times({}, NOW_MS - DAY_MS).at(-1)).toBe(NOW_MS - DAY_MS)
  })

  test('is empty for a known exchange without points, and nothing for an unknown one', () => {
    const known = new Warehouse()
    known.load(exchanges, [{ id: 'kraken', name: 'Kraken' }])
    expect(known.answer(OPERATION, { id: 'kraken' })).toEqual([])
    expect(known.answer(OPERATION, { id: 'nobody' })).toBeNull()
    expect(warehouse.answer(OPERATION, { id: ID, days: '1' }, NOW_MS + 900 * DAY_MS)).toEqual([])
  })
})

test.each([
  ['not_a_point', '$[0]', null],
  ['not_a_point', '$[0]', [1]],
  ['not_a_point', '$[0]', [1, '2', 3]],
  ['not_a_timestamp', '$[0][0]', ['1620550800000', '5']],
  ['not_a_timestamp', '$[0][0]', [1.5, '5']],
  ['not_a_decimal', '$[0][1]', [STEP, 'much']],
  ['not_a_decimal', '$[0][1]', [STEP, '']],
  ['not_a_text', '$[0][1]', [STEP, {}]],
  ['not_finite', '$[0][1]', [STEP, Infinity]],
])('%s at %s costs one point', (rule, path, bad) => {
  const { page, rows } = rowsFor([bad, [2 * STEP, '1']])
  expect(page.rejected.map((row) => [row.rule, row.path])).toEqual([[rule, path]])
  expect(rows.map((row) => row['ts'])).toEqual([2 * STEP])
})

test.each<[Granularity, number, 1 | 2, string]>([
  ['10m', 0.1, 1, '1'],
  ['10m', 1, 2, '1'],
  ['1h', 0.1, 1, '7'],
  ['1h', 7, 1, '7'],
  ['1h', 7, 2, '14'],
  ['1h', 7.01, 1, '14'],
  ['1h', 20, 1, '14'],
  ['1d', 1, 1, '30'],
  ['1d', 91, 1, '180'],
  ['1d', 365, 2, '365'],
])('%s from %d days ago, attempt %i, asks for days=%s', (granularity, ago, attempt, days) => {
  const slice = { ...sliceOf(granularity), fromMs: NOW_MS - ago * DAY_MS, toMs: NOW_MS }
  expect(stepsOf(exchangeVolumeChart, slice, { attempt })).toEqual([
    { operation: OPERATION, params: { id: ID, days }, paging: 'single', perPage: 0 },
  ])
})

test.each<[Granularity, number]>([
  ['10m', 1],
  ['1h', 14],
  ['1d', 365],
])('%s reaches %d days back', (granularity, days) => {
  expect(exchangeVolumeChart.reachMs(granularity)).toBe(days * DAY_MS)
})
