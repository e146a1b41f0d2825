import { describe, expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { coinTickers } from '../../datasets/coin-tickers.ts'
import { coins } from '../../datasets/coins.ts'
import { exchanges } from '../../datasets/exchanges.ts'
import { NOW_MS } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'
import { wholeTicker } from './whole-body.ts'

const OPERATION = 'coins/{id}/tickers'
const ID = '1move token'
const SLICE = { entity: ID }
const ALL = { id: ID, depth: 'true', include_exchange_logo: 'true' }
const TICKER = wholeTicker()
const { target_coin_id: _target, ...FIAT } = { ...TICKER, target: 'EUR' }

function loaded(tickers: unknown, observedAtMs = NOW_MS): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(coinTickers, { name: 'Move', tickers }, SLICE, { observedAtMs })
  return warehouse
}

test('a ticker without an exchange has an empty exchange_id in its key', () => {
  const { rows } = tablesOf(coinTickers, { tickers: [{ ...TICKER, market: null }] }, SLICE)
  expect(rows['coin_tickers']).toMatchObject([
    { exchange_id: '', market_identifier: null, listing_name: null },
  ])
})

test.each([
  [{}],
  [{ name: null }],
  [{ name: '' }],
  [{ name: '\uD800' }],
  [{ name: 'Move', mood: { deep: [-0] } }],
  [{ mood: null, total: 2 }],
])('the envelope %j comes back around its tickers, and no ticker carries it', (envelope) => {
  const body = { ...envelope, tickers: [TICKER, FIAT] }
  const warehouse = new Warehouse()
  expect(warehouse.load(coinTickers, body, SLICE).rejected).toEqual([])
  expect(warehouse.answer(OPERATION, ALL)).toEqual(body)
  warehouse.load(coinDetails, { id: ID }, SLICE)
  const details = warehouse.answer('coins/{id}', { id: ID }) as { tickers: object[] }
  expect(details.tickers.map((ticker) => Object.keys(ticker))).not.toContainEqual(
    expect.arrayContaining(['$beside']),
  )
  expect(details.tickers).toHaveLength(2)
})

test('a name that is no text goes to quarantine, and costs no ticker', () => {
  const { page, rows } = tablesOf(coinTickers, { name: 5, tickers: [TICKER] }, SLICE)
  expect(page.rejected).toEqual([{ rule: 'not_a_text', path: '$.name', raw: '5' }])
  expect(page.counts.duplicate).toBe(0)
  expect(rows['coin_tickers']).toMatchObject([{ listing_name: null, _extra: null }])
})

describe('the service', () => {
  const on = (exchange: string, usd: number | null) => ({
    ...TICKER,
    market: { name: exchange, identifier: exchange, has_trading_incentive: false },
    converted_volume: { btc: 1, eth: 1, usd },
  })
  const answerOf = <Ticker>(warehouse: Warehouse, params: object) =>
    (warehouse.answer(OPERATION, { id: ID, ...params }) as { tickers: Ticker[] }).tickers

  test.each([
    [{}, ['kraken', 'binance', 'okx', 'gdax']],
    [{ order: 'trust_score_desc' }, ['kraken', 'binance', 'okx', 'gdax']],
    [{ order: 'trust_score_asc' }, ['gdax', 'okx', 'binance', 'kraken']],
    [{ order: 'volume_desc' }, ['binance', 'gdax', 'kraken', 'okx']],
    [{ order: 'volume_asc' }, ['kraken', 'gdax', 'binance', 'okx']],
    [{ exchange_ids: 'gdax,kraken, okx,unknown' }, ['kraken', 'gdax']],
    [{ exchange_ids: 'unknown' }, []],
    [{ page: '2' }, []],
  ])('heeds %j', (params, expected) => {
    const held = loaded([on('kraken', 5), on('binance', 90), on('okx', null), on('gdax', 7)])
    const tickers = answerOf<ReturnType<typeof on>>(held, params)
    expect(tickers.map(({ market }) => market.identifier)).toEqual(expected)
  })

  test('adds logo and depth only on request', () => {
    const { logo: _logo, ...market } = TICKER.market
    const { cost_to_move_up_usd: _up, cost_to_move_down_usd: _down, ...shallow } = TICKER
    const held = loaded([TICKER])
    expect(answerOf(held, {})).toEqual([{ ...shallow, market }])
    expect(answerOf(held, { depth: 'true' })).toEqual([{ ...TICKER, market }])
    expect(answerOf(held, { include_exchange_logo: 'true' })).toEqual([shallow])
  })

  test('pages by 100, or as asked', () => {
    const many = Array.from({ length: 130 }, (_, last) => ({ ...TICKER, last }))
    const held = loaded(many)
    const lasts = (page: string, more = {}) =>
      answerOf<{ last: number }>(held, { page, ...more }).map((one) => one.last)
    expect([...lasts('1'), ...lasts('2')]).toEqual(many.map(({ last }) => last))
    expect(lasts('1')).toHaveLength(100)
    expect(lasts('3')).toEqual([])
    expect(lasts('13', { per_page: '10' })).toEqual(many.slice(120).map(({ last }) => last))
  })

  test('answers the newest listing, also when only an older one matches the filter', () => {
    const held = loaded([on('kraken', 1)], NOW_MS - 1000)
    held.load(coinTickers, { name: 'Moved', tickers: [on('okx', 1)] }, SLICE)
    const answer = held.answer(OPERATION, { id: ID, exchange_ids: 'kraken' })
    expect(answer).toEqual({ name: 'Moved', tickers: [] })
  })

  test('knows a coin that trades nowhere from the list of coins, and no other coin', () => {
    const known = loaded([])
    expect(known.answer(OPERATION, { id: ID })).toBeNull()
    for (const [day, name] of ['Old name', 'Move'].entries()) {
      const observedAtMs = Date.UTC(2029, 0, 1 + day)
      known.load(coins, [{ id: ID, symbol: 'm', name }], {}, { observedAtMs })
    }
    expect(known.answer(OPERATION, { id: ID })).toEqual({ name: 'Move', tickers: [] })
    expect(known.answer(OPERATION, { id: '1MOVE token' })).toBeNull()
  })
  test('knows an exchange without a pair from the list of exchanges', () => {
    const known = new Warehouse()
    known.load(exchanges, [{ id: 'kraken', name: 'Kraken' }])
    const answer = (id: string) => known.answer('exchanges/{id}/tickers', { id })
    expect(answer('kraken')).toEqual({ name: 'Kraken', tickers: [] })
    expect(answer('gdax')).toBeNull()
  })
})
