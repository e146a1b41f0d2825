import { describe, expect, test } from 'vitest'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const LIST = { stepIndex: 0 }
const STATS = { stepIndex: 1 }

const BINANCE = {
  name: 'Binance (Futures)',
  id: 'binance_futures',
  open_interest_btc: 332_790.5,
  trade_volume_24h_btc: `588597.${'24'.repeat(40)}`,
  number_of_perpetual_pairs: 592,
  number_of_futures_pairs: 72,
  image: 'missing_large.png',
  year_established: 2019,
  country: null,
  description: '',
  url: null,
}

/** Derivative exchanges e0, e1, ... whose open interest grows and whose volume falls. */
function exchangesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...BINANCE,
    id: `e${index}`,
    name: `Exchange ${String(index).padStart(3, '0')}`,
    open_interest_btc: index === 0 ? null : index,
    // Texts in another order than their numbers.
    trade_volume_24h_btc: String(1000 - index * 9),
  }))
}

test('columns of the statistics hold what they are named after', () => {
  const { rows } = tablesOf(derivativeExchanges, [BINANCE], {}, STATS)
  expect(rows).toEqual({
    derivative_exchange_stats: [
      {
        exchange_id: 'binance_futures',
        observed_at: NOW,
        observed_date: '2030-01-01',
        ordinal: 0,
        name: 'Binance (Futures)',
        open_interest_btc: 332_790.5,
        trade_volume_24h_btc: 588_597.2424242424,
        trade_volume_24h_btc_text: BINANCE.trade_volume_24h_btc,
        number_of_perpetual_pairs: 592,
        number_of_futures_pairs: 72,
        image: 'missing_large.png',
        year_established: 2019,
        country: null,
        description: '',
        url: null,
        _absent: null,
        _extra: null,
      },
    ],
  })
})

test('columns of the list hold what they are named after', () => {
  const body = [
    { id: 'bybit', name: 'Bybit' },
    { id: 'x y', name: null },
  ]
  const { rows } = tablesOf(derivativeExchanges, body, {}, LIST)
  const seen = { first_seen_at: NOW, last_seen_at: NOW, _absent: null, _extra: null }
  expect(rows).toEqual({
    derivative_exchanges: [
      { exchange_id: 'bybit', name: 'Bybit', list_ordinal: 0, ...seen },
      { exchange_id: 'x y', name: null, list_ordinal: 1, ...seen },
    ],
  })
})

describe.each([
  ['derivatives/exchanges/list', 'derivatives-exchanges-list--', 2, LIST],
  ['derivatives/exchanges', 'derivatives-exchanges--', 1, STATS],
] as const)('recordings of %s', (operation, prefix, count, step) => {
  const recorded = samples(prefix)
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(count))

  test.each(recorded)('%s comes back as it was', (_, body) => {
    const warehouse = new Warehouse()
    const page = warehouse.load(derivativeExchanges, body, pageOf(derivativeExchanges, {}, step))
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    expect(warehouse.answer(operation, {}, NOW)).toEqual(body)
  })
})

describe('the listing', () => {
  const warehouse = new Warehouse()
  const body = exchangesOf(120)
  warehouse.load(derivativeExchanges, body, pageOf(derivativeExchanges, {}, STATS))
  const idsOf = (params: Record<string, string>) =>
    (warehouse.answer('derivatives/exchanges', params, NOW) as { id: string }[]).map(({ id }) => id)

  test('has 50 rows a page, by open interest, those without it last', () => {
    expect(idsOf({})).toEqual(
      exchangesOf(120)
        .map(({ id }) => id)
        .toReversed()
        .slice(0, 50),
    )
    expect(idsOf({ page: '3' })).toHaveLength(20)
    expect(idsOf({ page: '3' }).at(-1)).toBe('e0')
    expect(idsOf({ page: '4' })).toEqual([])
    expect(idsOf({ per_page: '7', page: '2' })).toHaveLength(7)
    expect(idsOf({ per_page: '1000' })).toHaveLength(120)
  })

  test.each([
    ['open_interest_btc_asc', 'e1'],
    ['open_interest_btc_desc', 'e119'],
    ['trade_volume_24h_btc_asc', 'e119'],
    ['trade_volume_24h_btc_desc', 'e0'],
    ['name_asc', 'e0'],
    ['name_desc', 'e119'],
  ])('order=%s starts with %s', (order, first) => {
    expect(idsOf({ order })[0]).toBe(first)
  })
})

test('an answer is the newest observation, and an empty warehouse an empty list', () => {
  const warehouse = new Warehouse()
  expect(warehouse.answer('derivatives/exchanges', {}, NOW)).toEqual([])
  for (const day of [1, 2]) {
    const observedAtMs = Date.UTC(2029, 0, day)
    const context = pageOf(derivativeExchanges, {}, { ...STATS, observedAtMs })
    warehouse.load(derivativeExchanges, [{ ...BINANCE, name: `Day ${day}` }], context)
  }
  expect(warehouse.answer('derivatives/exchanges', {}, NOW)).toMatchObject([{ name: 'Day 2' }])
})

test.each([
  ['a volume as a number', { trade_volume_24h_btc: 1.5e-7 }],
  ['an open interest above 2^53', { open_interest_btc: 2 ** 60 }],
  ['a key that is new', { mood: { a: [null] } }],
  ['names in any script', { name: '=1+1 🦀', country: '日本' }],
])('%s comes back', (_, change) => {
  const warehouse = new Warehouse()
  const body = [{ ...BINANCE, ...change }]
  warehouse.load(derivativeExchanges, body, pageOf(derivativeExchanges, {}, STATS))
  expect(warehouse.answer('derivatives/exchanges', {}, NOW)).toEqual(body)
})

test.each([[LIST], [STATS]])('a body that is no array is refused whole: step %j', (step) => {
  for (const body of [null, {}, '<html></html>', '', { error: 'x' }]) {
    expect(() => tablesOf(derivativeExchanges, body, {}, step)).toThrow('$ is no array')
  }
})

test.each([
  ['missing_exchange_id', '$[0].id', { ...BINANCE, id: null }, STATS],
  ['missing_exchange_id', '$[0].id', { name: 'x' }, LIST],
  ['not_a_text', '$[0].name', { id: 'x', name: 1 }, LIST],
  ['not_a_decimal', '$[0].trade_volume_24h_btc', { ...BINANCE, trade_volume_24h_btc: 'x' }, STATS],
  [
    'not_an_integer',
    '$[0].number_of_futures_pairs',
    { ...BINANCE, number_of_futures_pairs: 1.5 },
    STATS,
  ],
  ['not_an_object', '$[0]', [BINANCE], STATS],
])('%s at %s costs one row', (rule, path, bad, step) => {
  const good = { ...BINANCE, id: 'good' }
  const { page, rows } = tablesOf(derivativeExchanges, [bad, good], {}, step)
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(
    Object.values(rows)
      .flat()
      .map((row) => row['exchange_id']),
  ).toEqual(['good'])
})

test('the list is one request, the statistics are pages in order of name', () => {
  const { slice } = pageOf(derivativeExchanges)
  const context = { nowMs: NOW, attempt: 1, maxHistoryDays: null } as const
  expect(derivativeExchanges.steps(slice, context)).toEqual([
    { operation: 'derivatives/exchanges/list', params: {}, paging: 'single', perPage: 0 },
    {
      operation: 'derivatives/exchanges',
      params: { order: 'name_asc', per_page: '250' },
      paging: 'until_short',
      perPage: 250,
    },
  ])
})
