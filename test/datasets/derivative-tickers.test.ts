import { describe, expect, test } from 'vitest'
import { derivativeTickers } from '../../datasets/derivative-tickers.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const PERPETUAL = {
  market: 'Stormgain Futures',
  symbol: 'BCH-PERPUSDT',
  index_id: 'BCH',
  price: '0.00000000000123456789012345678901234567890',
  price_percentage_change_24h: -2.5,
  contract_type: 'perpetual',
  index: null,
  basis: 448_228.7,
  spread: null,
  funding_rate: -0.0001,
  open_interest: null,
  volume_24h: 28_083_676_311.186348,
  last_traded_at: 1_621_346_317,
  expired_at: null,
}
const FUTURE = {
  ...PERPETUAL,
  symbol: '',
  price: '43692.79',
  contract_type: 'futures',
  index: 43_782.07332908,
  spread: 0.02,
  funding_rate: 0,
  open_interest: 2 ** 60,
  expired_at: 1_624_579_200,
}

function answerTo(body: unknown): unknown {
  const warehouse = new Warehouse()
  warehouse.load(derivativeTickers, body, pageOf(derivativeTickers))
  return warehouse.answer('derivatives', {}, NOW)
}

test('columns hold what they are named after', () => {
  const { rows } = tablesOf(derivativeTickers, [PERPETUAL, FUTURE])
  const common = {
    market_name: 'Stormgain Futures',
    index_id: 'BCH',
    observed_at: NOW,
    observed_date: '2030-01-01',
    price_percentage_change_24h: -2.5,
    basis: 448_228.7,
    volume_24h_usd: 28_083_676_311.186348,
    last_traded_at: Date.UTC(2021, 4, 18, 13, 58, 37),
    _absent: null,
    _extra: null,
  }
  expect(rows['derivative_tickers']).toEqual([
    {
      ...common,
      symbol: 'BCH-PERPUSDT',
      ordinal: 0,
      price: 1.2345678901234569e-12,
      price_text: '0.00000000000123456789012345678901234567890',
      contract_type: 'perpetual',
      index_price: null,
      spread: null,
      funding_rate: -0.0001,
      open_interest_usd: null,
      expired_at: null,
    },
    {
      ...common,
      symbol: '',
      ordinal: 1,
      price: 43_692.79,
      price_text: '43692.79',
      contract_type: 'futures',
      index_price: 43_782.07332908,
      spread: 0.02,
      funding_rate: 0,
      open_interest_usd: 2 ** 60,
      expired_at: Date.UTC(2021, 5, 25),
    },
  ])
})

describe('recordings', () => {
  const recorded = samples('derivatives--')
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(3))

  test.each(recorded)('%s comes back as it was', (_, body) => {
    const { page, rows } = tablesOf(derivativeTickers, body)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    expect(page.counts.duplicate).toBe(0)
    expect(rows['derivative_tickers']).toHaveLength((body as unknown[]).length)
    expect(answerTo(body)).toEqual(body)
  })
})

test('one contract listed more than once keeps each of its rows', () => {
  const body = [PERPETUAL, { ...PERPETUAL, price: '2' }, PERPETUAL]
  expect(answerTo(body)).toEqual(body)
})

test.each([
  ['a price as a number', { price: 5e-324 }],
  ['no price', { price: null }],
  ['part of a second', { last_traded_at: 1_621_346_317.5 }],
  ['a key that is new', { mood: [1] }],
  ['a name in any script', { market: '交易所 🦀', symbol: 'null' }],
])('%s comes back', (_, change) => {
  expect(answerTo([{ ...PERPETUAL, ...change }])).toEqual([{ ...PERPETUAL, ...change }])
})

test('keys that are left out come back left out', () => {
  const { spread: _, expired_at: _gone, ...rest } = PERPETUAL
  expect(answerTo([rest, FUTURE])).toEqual([rest, FUTURE])
})

test('nothing listed is an empty list', () => {
  expect(answerTo([])).toEqual([])
})

test.each([[null], [{}], ['<html></html>'], [''], [{ error: 'x' }]])(
  '%j is refused whole',
  (body) => {
    expect(() => tablesOf(derivativeTickers, body)).toThrow('$ is no array')
  },
)

test.each([
  ['missing_market_name', '$[0].market', { ...PERPETUAL, market: null }],
  ['missing_symbol', '$[0].symbol', { market: 'x' }],
  ['not_a_decimal', '$[0].price', { ...PERPETUAL, price: '$5' }],
  ['not_a_text', '$[0].price', { ...PERPETUAL, price: {} }],
  ['not_a_number', '$[0].index', { ...PERPETUAL, index: '1' }],
  ['not_a_timestamp', '$[0].expired_at', { ...PERPETUAL, expired_at: '2021-06-25' }],
  ['not_an_object', '$[0]', null],
  ['not_an_object', '$[0]', []],
])('%s at %s costs one row', (rule, path, bad) => {
  const { page, rows } = tablesOf(derivativeTickers, [bad, FUTURE])
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(rows['derivative_tickers']?.map((row) => row['ordinal'])).toEqual([1])
})

test('one request answers a slice', () => {
  const { slice } = pageOf(derivativeTickers)
  expect(derivativeTickers.steps(slice, { nowMs: NOW, attempt: 1, maxHistoryDays: null })).toEqual([
    { operation: 'derivatives', params: {}, paging: 'single', perPage: 0 },
  ])
})
