import { describe, expect, test } from 'vitest'
import { derivativeExchangeTickers } from '../../datasets/derivative-exchange-tickers.ts'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const ID = 'binance_futures'
const SLICE = { entity: ID }
const OPERATION = 'derivatives/exchanges/{id}'

const EXCHANGE = {
  name: 'Binance (Futures)',
  open_interest_btc: null,
  trade_volume_24h_btc: '587332.45',
  number_of_perpetual_pairs: 592,
  number_of_futures_pairs: 72,
  image: 'missing_large.png',
  year_established: 2019,
  country: null,
  description: '',
  url: 'https://example.org/',
}
const DIGITS = '0.0000061681554962419895667586517612508206539318947668958'
const PERPETUAL = {
  symbol: '0GUSDT',
  base: '0G',
  target: 'USDT',
  coin_id: 'zero-gravity',
  target_coin_id: 'tether',
  trade_url: null,
  contract_type: 'perpetual',
  last: 0.473,
  h24_percentage_change: -1.149,
  index: null,
  index_basis_percentage: null,
  bid_ask_spread: 0.0004225649693639931,
  funding_rate: 0.005,
  open_interest_usd: null,
  h24_volume: 6_822_128,
  converted_volume: { btc: '42.07', eth: '1536.67', usd: '3222911.49' },
  converted_last: { btc: DIGITS, eth: '0.0002', usd: '0.4724' },
  last_traded: 1_779_809_107,
  expired_at: null,
}
const FUTURE = {
  ...PERPETUAL,
  symbol: 'BTC_261225',
  contract_type: 'futures',
  expired_at: 1_900_000_000,
}
const EXPIRED = {
  ...PERPETUAL,
  symbol: 'BTC_210625',
  contract_type: 'futures',
  expired_at: NOW / 1000,
}
const BODY = { ...EXCHANGE, tickers: [PERPETUAL, EXPIRED, FUTURE] }

function warehouseOf(body: unknown, observedAtMs = NOW, warehouse = new Warehouse()): Warehouse {
  const context = pageOf(derivativeExchangeTickers, SLICE, { observedAtMs })
  warehouse.load(derivativeExchangeTickers, body, context)
  return warehouse
}

test('columns hold what they are named after', () => {
  const { rows } = tablesOf(derivativeExchangeTickers, { ...EXCHANGE, tickers: [FUTURE] }, SLICE)
  const common = {
    exchange_id: ID,
    observed_at: NOW,
    observed_date: '2030-01-01',
    _absent: null,
    _extra: null,
  }
  expect(rows).toEqual({
    derivative_exchange_details: [
      {
        ...common,
        name: 'Binance (Futures)',
        open_interest_btc: null,
        trade_volume_24h_btc: 587_332.45,
        trade_volume_24h_btc_text: '587332.45',
        number_of_perpetual_pairs: 592,
        number_of_futures_pairs: 72,
        image: 'missing_large.png',
        year_established: 2019,
        country: null,
        description: '',
        url: 'https://example.org/',
      },
    ],
    derivative_exchange_tickers: [
      {
        ...common,
        symbol: 'BTC_261225',
        ordinal: 0,
        base: '0G',
        target: 'USDT',
        coin_id: 'zero-gravity',
        target_coin_id: 'tether',
        trade_url: null,
        contract_type: 'futures',
        last: 0.473,
        price_percentage_change_24h: -1.149,
        index_price: null,
        index_basis_percentage: null,
        bid_ask_spread: 0.0004225649693639931,
        funding_rate: 0.005,
        open_interest_usd: null,
        volume_24h: 6_822_128,
        converted_volume_btc: 42.07,
        converted_volume_btc_text: '42.07',
        converted_volume_eth: 1536.67,
        converted_volume_eth_text: '1536.67',
        converted_volume_usd: 3_222_911.49,
        converted_volume_usd_text: '3222911.49',
        converted_last_btc: 0.00000616815549624199,
        converted_last_btc_text: DIGITS,
        converted_last_eth: 0.0002,
        converted_last_eth_text: '0.0002',
        converted_last_usd: 0.4724,
        converted_last_usd_text: '0.4724',
        last_traded_at: 1_779_809_107_000,
        expired_at: 1_900_000_000_000,
      },
    ],
  })
})

describe('recordings', () => {
  const recorded = samples('derivatives-exchanges-id-')
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(3))

  test.each(recorded)('%s comes back as it was', (_, body) => {
    const { page } = tablesOf(derivativeExchangeTickers, body, SLICE)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    const hasTickers = Object.hasOwn(body as object, 'tickers')
    const params = { id: ID, ...(hasTickers ? { include_tickers: 'all' } : {}) }
    expect(warehouseOf(body).answer(OPERATION, params, NOW)).toEqual(body)
  })
})

test('contracts are there when they are asked for, expired ones only in all', () => {
  const warehouse = warehouseOf(BODY)
  const answer = (params: object) => warehouse.answer(OPERATION, { id: ID, ...params }, NOW)
  expect(answer({})).toEqual(EXCHANGE)
  expect(answer({ include_tickers: 'all' })).toEqual(BODY)
  expect(answer({ include_tickers: 'unexpired' })).toEqual({
    ...EXCHANGE,
    tickers: [PERPETUAL, FUTURE],
  })
})

test('contracts of an earlier observation are not shown as those of now', () => {
  const warehouse = warehouseOf(BODY, Date.UTC(2029, 0, 1))
  warehouseOf({ ...EXCHANGE, name: 'New', tickers: [] }, Date.UTC(2029, 0, 2), warehouse)
  expect(warehouse.answer(OPERATION, { id: ID, include_tickers: 'all' }, NOW)).toEqual({
    ...EXCHANGE,
    name: 'New',
    tickers: [],
  })
  expect(
    warehouse.answer(OPERATION, { id: ID, include_tickers: 'all' }, Date.UTC(2029, 0, 1, 12)),
  ).toEqual(BODY)
})

test('an exchange that is only in the listing of all is known', () => {
  const warehouse = new Warehouse()
  const context = pageOf(derivativeExchanges, {}, { stepIndex: 1 })
  warehouse.load(derivativeExchanges, [{ id: ID, ...EXCHANGE }], context)
  expect(warehouse.answer(OPERATION, { id: ID }, NOW)).toEqual(EXCHANGE)
  expect(warehouse.answer(OPERATION, { id: ID, include_tickers: 'all' }, NOW)).toEqual({
    ...EXCHANGE,
    tickers: [],
  })
  expect(warehouse.answer(OPERATION, { id: 'nobody' }, NOW)).toBeNull()
})

test.each([
  ['an answer without contracts', EXCHANGE, {}],
  [
    'one symbol twice',
    { ...EXCHANGE, tickers: [PERPETUAL, PERPETUAL] },
    { include_tickers: 'all' },
  ],
  [
    'keys that are new',
    { ...BODY, mood: 1, tickers: [{ ...PERPETUAL, mood: { a: 1e-11 } }] },
    { include_tickers: 'all' },
  ],
  [
    'a currency that is new',
    { ...EXCHANGE, tickers: [{ ...PERPETUAL, converted_last: { btc: '1', sol: '2' } }] },
    { include_tickers: 'all' },
  ],
  [
    'nothing converted',
    { ...EXCHANGE, tickers: [{ ...PERPETUAL, converted_last: null }] },
    { include_tickers: 'all' },
  ],
  [
    'converted to numbers',
    { ...EXCHANGE, tickers: [{ ...PERPETUAL, converted_last: { btc: 1e-11, eth: null, usd: 2 } }] },
    { include_tickers: 'all' },
  ],
])('%s comes back', (_, body, params) => {
  expect(warehouseOf(body).answer(OPERATION, { id: ID, ...params }, NOW)).toEqual(body)
})

test('new keys are counted where they stand', () => {
  const body = {
    ...EXCHANGE,
    mood: 1,
    tickers: [{ ...PERPETUAL, mood: 1, converted_last: { sol: '2' } }],
  }
  expect(tablesOf(derivativeExchangeTickers, body, SLICE).page.unknownPaths).toEqual({
    '$.mood': 1,
    '$.tickers[*].mood': 1,
    '$.tickers[*].converted_last.sol': 1,
  })
})

test.each([
  ['null', null, '$ is no object'],
  ['an array', [], '$ is no object'],
  ['HTML', '<html></html>', '$ is no object'],
  ['an empty object', {}, '$.name is no text'],
  ['an error with status 200', { error: 'x' }, '$.name is no text'],
  ['contracts that are null', { ...EXCHANGE, tickers: null }, '$.tickers is no array'],
  ['contracts by name', { ...EXCHANGE, tickers: {} }, '$.tickers is no array'],
])('%s is refused whole', (_, body, message) => {
  expect(() => tablesOf(derivativeExchangeTickers, body, SLICE)).toThrow(message)
})

test.each([
  ['missing_symbol', '$.tickers[0].symbol', { ...PERPETUAL, symbol: null }],
  ['not_a_number', '$.tickers[0].last', { ...PERPETUAL, last: '0.473' }],
  [
    'not_a_decimal',
    '$.tickers[0].converted_last.btc',
    { ...PERPETUAL, converted_last: { btc: 'x' } },
  ],
  ['not_an_object', '$.tickers[0].converted_last', { ...PERPETUAL, converted_last: '1' }],
  ['not_a_timestamp', '$.tickers[0].last_traded', { ...PERPETUAL, last_traded: '2026' }],
  ['not_an_object', '$.tickers[0]', null],
])('%s at %s costs one contract', (rule, path, bad) => {
  const body = { ...EXCHANGE, tickers: [bad, FUTURE] }
  const { page, rows } = tablesOf(derivativeExchangeTickers, body, SLICE)
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(rows['derivative_exchange_details']).toHaveLength(1)
  expect(rows['derivative_exchange_tickers']?.map((row) => row['ordinal'])).toEqual([1])
})

test('a bad exchange costs its row, not its contracts', () => {
  const bad = { ...EXCHANGE, trade_volume_24h_btc: 'much' }
  const { page, rows } = tablesOf(derivativeExchangeTickers, { ...bad, tickers: [FUTURE] }, SLICE)
  expect(page.rejected).toEqual([
    {
      rule: 'not_a_decimal',
      path: '$.trade_volume_24h_btc',
      raw: jsonText({ ...bad, tickers: [] }),
    },
  ])
  expect(rows['derivative_exchange_details']).toEqual([])
  expect(rows['derivative_exchange_tickers']).toHaveLength(1)
})

test('one request answers a slice, contracts included', () => {
  const { slice } = pageOf(derivativeExchangeTickers, SLICE)
  const context = { nowMs: NOW, attempt: 1, maxHistoryDays: null } as const
  expect(derivativeExchangeTickers.steps(slice, context)).toEqual([
    {
      operation: OPERATION,
      params: { id: ID, include_tickers: 'all' },
      paging: 'single',
      perPage: 0,
    },
  ])
})
