import { describe, expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { coinTickers } from '../../datasets/coin-tickers.ts'
import { coins } from '../../datasets/coins.ts'
import { pageOf } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'coins/{id}/tickers'
const NOW = Date.UTC(2030, 0, 1)
const ID = '1move token'
const SLICE = { entity: ID }
const ALL = { id: ID, depth: 'true', include_exchange_logo: 'true' }

const TICKER = {
  base: 'MOVE',
  target: 'USDT',
  market: {
    name: 'Uniswap V3 🦄',
    identifier: 'uniswap_v3',
    has_trading_incentive: false,
    logo: 'https://example.org/u.png',
  },
  last: 1.1792020782950375e-11,
  volume: 4.272488482253702e16,
  cost_to_move_up_usd: 1.5,
  cost_to_move_down_usd: null,
  converted_last: { btc: 9.04766669820536e-7, eth: 1e-5, usd: 0.06 },
  converted_volume: { btc: 1, eth: 17, usd: 64000 },
  trust_score: 'green',
  bid_ask_spread_percentage: 0.01,
  timestamp: '2024-04-08T04:02:01+00:00',
  last_traded_at: '2024-04-08T04:02:02+00:00',
  last_fetch_at: '2024-04-08T04:02:03+00:00',
  is_anomaly: false,
  is_stale: true,
  trade_url: null,
  token_info_url: null,
  coin_id: ID,
  target_coin_id: 'tether',
  coin_mcap_usd: 0,
}
const { target_coin_id: _target, ...FIAT } = { ...TICKER, target: 'EUR' }

function loaded(tickers: unknown, observedAtMs = NOW): Warehouse {
  const warehouse = new Warehouse()
  const body = { name: 'Move', tickers }
  warehouse.load(coinTickers, body, pageOf(coinTickers, SLICE, { observedAtMs }))
  return warehouse
}

test('a ticker without an exchange has an empty exchange_id in its key', () => {
  const { rows } = tablesOf(coinTickers, { tickers: [{ ...TICKER, market: null }] }, SLICE)
  expect(rows['coin_tickers']).toMatchObject([
    { exchange_id: '', market_identifier: null, listing_name: null },
  ])
})

test('ordinals go on over pages, and unknown keys of the envelope are counted', () => {
  const body = { name: 'Move', tickers: [TICKER], page: 2 }
  const { page, rows } = tablesOf(coinTickers, body, SLICE, { page: 2 })
  expect(rows['coin_tickers']).toMatchObject([{ ordinal: 100 }])
  expect(page.unknownPaths).toEqual({ '$.page': 1 })
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
  const page = warehouse.load(coinTickers, body, pageOf(coinTickers, SLICE))
  expect(page.rejected).toEqual([])
  expect(warehouse.answer(OPERATION, ALL, NOW)).toEqual(body)
  warehouse.load(coinDetails, { id: ID }, pageOf(coinDetails, SLICE))
  const details = warehouse.answer('coins/{id}', { id: ID }, NOW) as { tickers: object[] }
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
  const warehouse = loaded([on('kraken', 5), on('binance', 90), on('okx', null), on('gdax', 7)])
  const exchanges = (params: Record<string, string>) => {
    const { tickers } = warehouse.answer(OPERATION, { id: ID, ...params }, NOW) as {
      tickers: { market: { identifier: string } }[]
    }
    return tickers.map(({ market }) => market.identifier)
  }

  test.each([
    [{}, ['kraken', 'binance', 'okx', 'gdax']],
    [{ order: 'trust_score_desc' }, ['kraken', 'binance', 'okx', 'gdax']],
    [{ order: 'trust_score_asc' }, ['gdax', 'okx', 'binance', 'kraken']],
    [{ order: 'volume_desc' }, ['binance', 'gdax', 'kraken', 'okx']],
    [{ order: 'volume_asc' }, ['kraken', 'gdax', 'binance', 'okx']],
    [{ exchange_ids: 'gdax, kraken,unknown' }, ['kraken', 'gdax']],
    [{ exchange_ids: 'unknown' }, []],
    [{ page: '2' }, []],
  ])('heeds %j', (params, expected) => expect(exchanges(params)).toEqual(expected))

  test('adds logo and depth only on request', () => {
    const { logo: _logo, ...market } = TICKER.market
    const { cost_to_move_up_usd: _up, cost_to_move_down_usd: _down, ...shallow } = TICKER
    const held = loaded([TICKER])
    const answered = (params: object) =>
      (held.answer(OPERATION, { id: ID, ...params }, NOW) as { tickers: unknown[] }).tickers[0]
    expect(answered({})).toEqual({ ...shallow, market })
    expect(answered({ depth: 'true' })).toEqual({ ...TICKER, market })
    expect(answered({ include_exchange_logo: 'true' })).toEqual(shallow)
  })

  test('pages by 100', () => {
    const many = loaded(Array.from({ length: 130 }, (_, last) => ({ ...TICKER, last })))
    const lasts = (page: string) =>
      (many.answer(OPERATION, { id: ID, page }, NOW) as { tickers: { last: number }[] }).tickers
    expect(lasts('1').map(({ last }) => last)).toEqual(Array.from({ length: 100 }, (_, i) => i))
    expect(lasts('2').map(({ last }) => last)).toEqual(
      Array.from({ length: 30 }, (_, i) => 100 + i),
    )
    expect(lasts('3')).toEqual([])
  })

  test('answers the newest listing, also when only an older one matches the filter', () => {
    const old = loaded([on('kraken', 1)], NOW - 1000)
    old.load(
      coinTickers,
      { name: 'Moved', tickers: [on('okx', 1)] },
      pageOf(coinTickers, SLICE, { observedAtMs: NOW }),
    )
    expect(old.answer(OPERATION, { id: ID, exchange_ids: 'kraken' }, NOW)).toEqual({
      name: 'Moved',
      tickers: [],
    })
  })

  test('knows a coin that trades nowhere from the list of coins, and no other coin', () => {
    const known = loaded([])
    expect(known.answer(OPERATION, { id: ID }, NOW)).toBeNull()
    for (const [day, name] of [
      [1, 'Old name'],
      [2, 'Move'],
    ] as const) {
      const observedAtMs = Date.UTC(2029, 0, day)
      known.load(coins, [{ id: ID, symbol: 'm', name }], pageOf(coins, {}, { observedAtMs }))
    }
    expect(known.answer(OPERATION, { id: ID }, NOW)).toEqual({ name: 'Move', tickers: [] })
    expect(known.answer(OPERATION, { id: '1MOVE token' }, NOW)).toBeNull()
  })
})
