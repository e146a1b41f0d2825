import { DAY_MS, MINUTE_MS } from '../../config/values/duration.ts'
import { describe, expect, test } from 'vitest'
import { type Granularity, GRANULARITY_MS } from '../../api/granularity.ts'
import { coins } from '../../datasets/coins.ts'
import { OHLC, ohlc } from '../../datasets/ohlc.ts'
import { NOW_MS, pageOf, stepsOf } from './context.ts'
import { rowsOf } from './rows-of.ts'
import { Warehouse } from './warehouse.ts'

const STEP = GRANULARITY_MS['4h']

function tablesOf(body: unknown, page: { nowMs?: number; fromMs?: number; toMs?: number } = {}) {
  const { nowMs = NOW_MS, ...bounds } = page
  const slice = { entity: 'x', vsCurrency: 'usd', granularity: '4h' as const, ...bounds }
  const result = ohlc.toTables(body, pageOf(ohlc, slice, { nowMs }))
  return { page: result, rows: rowsOf(OHLC, result.tables[0]!.rows) }
}

test('candles come by time; those outside the slice, running ones and repeated ones are counted', () => {
  const body = [...[6, 4, 5, 7, 8, 6].map((n, index) => [n * STEP, index, 9, 0, 1]), 'bad']
  const { page, rows } = tablesOf(body, { fromMs: 4 * STEP, toMs: 6 * STEP, nowMs: 7.5 * STEP })
  expect(rows.map((row) => [row['close_at'], row['open']])).toEqual([
    [5 * STEP, 2],
    [6 * STEP, 5],
  ])
  expect(page.counts).toEqual({ outsideSlice: 2, duplicate: 1, future: 1 })
  expect(page.deliveredGranularity).toBe('4h')
})

test('what the source has let go of since the plan is a gap', () => {
  const slice = { granularity: '30m', fromMs: NOW_MS - 2 * DAY_MS, toMs: NOW_MS } as const
  const { gaps } = ohlc.toTables([], pageOf(ohlc, { entity: 'x', ...slice }))
  expect(gaps).toEqual([{ fromMs: slice.fromMs, toMs: NOW_MS - DAY_MS }])
  const today = { ...slice, fromMs: NOW_MS - DAY_MS }
  expect(ohlc.toTables([], pageOf(ohlc, { entity: 'x', ...today })).gaps).toEqual([])
})

test('a candle off the grid makes no other granularity', () => {
  const closes = Array.from({ length: 40 }, (_, n) => NOW_MS - DAY_MS * 9 + n * 240 * MINUTE_MS)
  const body = [...closes, closes.at(-1)! + 30 * MINUTE_MS].map((ms) => [ms, 1, 1, 1, 1])
  const page = pageOf(ohlc, { entity: 'x', granularity: '4h' })
  expect(ohlc.toTables(body, page).deliveredGranularity).toBe('4h')
})

test.each<[Granularity, number]>([
  ['1h', 60],
  ['1d', 1_440],
  ['1d', 1_441],
])('%s candles %s minutes apart are none of a shorter time', (granularity, everyMinutes) => {
  const body = [0, 1, 2, 3].map((n) => [
    NOW_MS - DAY_MS * 9 + n * everyMinutes * MINUTE_MS,
    1,
    1,
    1,
    1,
  ])
  const page = pageOf(ohlc, { entity: 'x', granularity: '30m' })
  expect(ohlc.toTables(body, page).deliveredGranularity).toBe(granularity)
})

test.each<[Granularity, string, readonly number[]]>([
  ['30m', 'half an hour and an hour and a half', [0, 30, 120]],
  ['4h', '20 hours', [0, 1_200, 2_400, 3_600]],
])('%s candles of a coin that hardly trades may be %s apart', (granularity, _, minutes) => {
  const body = minutes.map((minute) => [NOW_MS - DAY_MS * 3 + minute * MINUTE_MS, 1, 1, 1, 1])
  const { deliveredGranularity } = ohlc.toTables(body, pageOf(ohlc, { entity: 'x', granularity }))
  expect(deliveredGranularity).toBe(granularity)
})

test.each([
  ['not_a_candle', '$[0]', [1, 2, 3, 4]],
  ['not_a_timestamp', '$[0][0]', ['1', 1, 1, 1, 1]],
  ['not_a_number', '$[0][2]', [STEP, 1, '1', 1, 1]],
  ['not_finite', '$[0][4]', [STEP, 1, 1, 1, Infinity]],
])('%s costs one candle', (rule, path, bad) => {
  const { page, rows } = tablesOf([bad, [2 * STEP, 1, 1, null, 1]])
  expect(page.rejected.map((row) => [row.rule, row.path])).toEqual([[rule, path]])
  expect(rows.map((row) => row['low'])).toEqual([null])
})

describe('a warehouse', () => {
  /** A Thursday noon. */
  const nowMs = Date.UTC(2026, 0, 1, 12)
  const candleOf = (ago: number) => [nowMs - ago, 1.23456, 4.5, null, 1e-7]
  const warehouse = new Warehouse()
  const load = (granularity: Granularity, ...body: unknown[]) =>
    warehouse.load(ohlc, body, { entity: 'x', vsCurrency: 'usd', granularity }, { nowMs })
  const stored = [0, 1, 6, 6.75, 8].map((days) => candleOf(days * DAY_MS))
  load('4h', ...stored)
  load('30m', candleOf(1.75 * STEP), candleOf(2 * STEP), candleOf(DAY_MS))
  warehouse.load(coins, [{ id: 'listed', symbol: 'l', name: 'Listed' }])
  const get = (more: object, atMs = nowMs) => {
    const params = { id: 'x', vs_currency: 'usd', days: '7', ...more }
    return warehouse.answer('coins/{id}/ohlc', params, atMs)
  }

  test('rounds prices on request, and no times', () => {
    expect((get({ precision: '2' }) as unknown[]).at(-1)).toEqual([nowMs, 1.23, 4.5, null, 0])
  })

  test.each<[string, object, unknown, number?]>([
    ['the candles that start in the window', {}, stored.slice(0, 4).toReversed()],
    [
      'candles of the step that the days have',
      { days: '1' },
      [2, 1.75].map((n) => candleOf(n * STEP)),
    ],
    ['no candle that closes later', {}, stored.slice(1, 4).toReversed(), nowMs - 1],
    ['no candle of another currency', { vs_currency: 'eur' }, []],
    ['no candle of a coin that is listed alone', { id: 'listed' }, []],
    ['null for a coin that nobody listed', { id: 'y' }, null],
  ])('answers %s', (_, params, body, atMs) => {
    expect(get(params, atMs)).toEqual(body)
  })

  test('leaves out the first step of an interval that is not whole', () => {
    const closes = (more: object) => (get(more) as number[][]).map(([closeMs]) => closeMs)
    const days = [5.5, 0.5, -0.5].map((ago) => nowMs - ago * DAY_MS)
    expect(closes({ interval: 'daily' })).toEqual(days)
    expect(closes({ interval: 'hourly', days: '1' })).toEqual([nowMs - 1.75 * STEP])
  })
})

test.each<[Granularity, number, 1 | 2, string]>([
  ['30m', 1, 1, '1'],
  ['30m', 0.1, 2, '1'],
  ['4h', 1, 1, '7'],
  ['4h', 7, 1, '7'],
  ['4h', 7.01, 1, '14'],
  ['4h', 7, 2, '14'],
  ['4h', 30, 1, '30'],
  ['4h', 31, 1, '30'],
  ['4d', 90, 1, '90'],
  ['4d', 91, 1, '180'],
  ['4d', 365, 2, '365'],
])('%s from %d days ago, attempt %i, asks for days=%s', (granularity, ago, attempt, days) => {
  const nowMs = Date.UTC(2026, 0, 1)
  const slice = { granularity, fromMs: nowMs - ago * DAY_MS, toMs: nowMs }
  const [step] = stepsOf(ohlc, slice, { nowMs, attempt })
  expect(step!.params['days']).toBe(days)
})
