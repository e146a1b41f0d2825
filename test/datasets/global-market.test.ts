import { expect, test } from 'vitest'
import { globalMarket } from '../../datasets/global-market.ts'
import { tablesOf } from './tables-of.ts'
import { type Json, wholeBody } from './whole-body.ts'

test('without totals the rest lands, and the row says what was not sent', () => {
  const { total_market_cap: _totals, ...data } = wholeBody('global')['data'] as Json
  const { rows, page } = tablesOf(globalMarket, { data })
  expect(page.rejected).toEqual([])
  const markets = { markets: data['markets'], _absent: '["total_market_cap"]' }
  expect(rows['global_market']).toMatchObject([markets])
  const totals = rows['global_market_by_currency']!.map((row) => row['total_market_cap'])
  expect(totals).toEqual(Object.keys(data['total_volume'] as Json).map(() => null))
  expect(rows['global_market_dominance']?.length).toBeGreaterThan(0)
})
