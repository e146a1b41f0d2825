import { describe, expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { coinTickers } from '../../datasets/coin-tickers.ts'
import { pageOf } from './context.ts'
import { DETAIL } from './detail-body.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'coins/{id}'
const NOW = Date.UTC(2030, 0, 1)
const SLICE = { entity: 'bitcoin' }
/** Everything that the service leaves out unless it is asked for. */
const WHOLE = { id: 'bitcoin', include_categories_details: 'true', sparkline: 'true' }

const TICKER = {
  base: 'BTC',
  target: 'USD',
  market: {
    name: 'Binance',
    identifier: 'binance',
    has_trading_incentive: false,
    logo: 'https://example.org/logo.png',
  },
  last: 1.5,
  volume: 2.5,
  cost_to_move_up_usd: 19_320_706.3,
  cost_to_move_down_usd: 1e-11,
  converted_last: { btc: 1, eth: 20.5, usd: 70_000 },
  converted_volume: { btc: 2, eth: 40, usd: 140_000 },
  trust_score: null,
  bid_ask_spread_percentage: 0.010014,
  timestamp: '2024-04-08T04:02:01+00:00',
  last_traded_at: '2024-04-08T04:02:01+00:00',
  last_fetch_at: '2024-04-08T04:03:00+00:00',
  is_anomaly: false,
  is_stale: false,
  trade_url: null,
  token_info_url: null,
  coin_id: 'bitcoin',
  coin_mcap_usd: 1_113_690_000_000,
}

function loaded(body: unknown, observedAtMs = NOW): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(coinDetails, body, pageOf(coinDetails, SLICE, { observedAtMs }))
  return warehouse
}

function answerTo(body: unknown, params: object = {}): unknown {
  return loaded(body).answer(OPERATION, { ...WHOLE, ...params }, NOW)
}

describe('the service', () => {
  const { categories_details: _details, ...plain } = DETAIL
  const { market_data: market } = DETAIL
  const { sparkline_7d: _sparkline, ...shortMarket } = market

  test.each<[string, Record<string, string>, object]>([
    ['nothing', {}, { ...plain, market_data: shortMarket }],
    ['sparklines', { sparkline: 'true' }, plain],
    [
      'ids of categories',
      { include_categories_details: 'true' },
      { ...DETAIL, market_data: shortMarket },
    ],
  ])('asked for %s beside the defaults', (_, params, expected) => {
    expect(loaded(DETAIL).answer(OPERATION, { id: 'bitcoin', ...params }, NOW)).toEqual(expected)
  })

  test.each(['localization', 'market_data', 'community_data', 'developer_data'] as const)(
    'leaves out %s where it is not wanted',
    (param) => {
      const { [param]: _left, ...rest } = DETAIL
      expect(answerTo(DETAIL, { [param]: 'false' })).toEqual(rest)
    },
  )

  describe('tickers', () => {
    const warehouse = loaded(DETAIL)
    const tickers = Array.from({ length: 101 }, (_, place) => ({ ...TICKER, last: place }))
    const load = (listed: object[], observedAtMs: number) =>
      warehouse.load(
        coinTickers,
        { name: 'Bitcoin', tickers: listed },
        pageOf(coinTickers, SLICE, { observedAtMs }),
      )
    load([{ ...TICKER, last: 5 }], NOW - 1)
    load(tickers, NOW)
    const keyOf = (params: object, nowMs = NOW) =>
      (warehouse.answer(OPERATION, { ...WHOLE, ...params }, nowMs) as { tickers?: unknown }).tickers

    test('are the first 100 of the newest listing, without depth and logo', () => {
      const { cost_to_move_up_usd: _up, cost_to_move_down_usd: _down, ...plain } = TICKER
      const market = { name: 'Binance', identifier: 'binance', has_trading_incentive: false }
      const expected = tickers.slice(0, 100).map(({ last }) => ({ ...plain, market, last }))
      expect(keyOf({})).toEqual(expected)
      expect(keyOf({ tickers: 'true' })).toEqual(expected)
    })

    test('are left out where they are not wanted or not known', () => {
      expect(keyOf({ tickers: 'false' })).toBeUndefined()
      expect(loaded(DETAIL).answer(OPERATION, WHOLE, NOW)).not.toHaveProperty('tickers')
    })
  })

  test('gives the newest observation up to now, with no row of an older one', () => {
    const bare = {
      id: 'bitcoin',
      name: 'B',
      categories: [],
      market_data: { ath: {} },
      platforms: {},
    }
    const warehouse = loaded(DETAIL, NOW - 1000)
    warehouse.load(coinDetails, bare, pageOf(coinDetails, SLICE, { observedAtMs: NOW }))
    expect(warehouse.answer(OPERATION, WHOLE, NOW)).toEqual(bare)
    expect(warehouse.answer(OPERATION, WHOLE, NOW - 1)).toEqual(DETAIL)
    expect(warehouse.answer(OPERATION, WHOLE, NOW - 1001)).toBeNull()
  })

  test('does not know a coin that was never exported', () => {
    expect(loaded(DETAIL).answer(OPERATION, { id: 'Bitcoin' }, NOW)).toBeNull()
  })
})
