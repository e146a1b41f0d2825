import { expect, test } from 'vitest'
import { globalMarket } from '../../datasets/global-market.ts'
import { tablesOf } from './tables-of.ts'

const DATA = {
  active_cryptocurrencies: 17_397,
  upcoming_icos: 0,
  ongoing_icos: 49,
  ended_icos: 3376,
  markets: 1476,
  total_market_cap: { btc: 34_570_737.199462704, vnd: 6.491016831442427e16, usd: 2 ** 53 + 2 },
  total_volume: { btc: 1_254_779.1727158197, usd: null, sats: 1e-11 },
  market_cap_percentage: { btc: 57.9539332566265, usdt: 7.223241338072757 },
  market_cap_change_percentage_24h_usd: -1.6081983639177684,
  volume_change_percentage_24h_usd: 33.064521460740046,
  updated_at: 1_779_878_351,
}

const { total_market_cap: _totals, ...withoutTotals } = DATA

test('without totals the rest lands, and the row says what was not sent', () => {
  const { rows, page } = tablesOf(globalMarket, { data: withoutTotals })
  expect(page.rejected).toEqual([])
  expect(rows['global_market']).toMatchObject([
    { markets: DATA.markets, _absent: '["total_market_cap"]' },
  ])
  const totals = rows['global_market_by_currency']!.map((row) => row['total_market_cap'])
  expect(totals).toEqual(Object.keys(DATA.total_volume).map(() => null))
  expect(rows['global_market_dominance']?.length).toBeGreaterThan(0)
})
