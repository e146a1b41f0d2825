import { describe, expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { coinTickers } from '../../datasets/coin-tickers.ts'
import { NOW_MS } from './context.ts'
import { Warehouse } from './warehouse.ts'
import { type Json, wholeDetail, wholeTicker } from './whole-body.ts'

const SLICE = { entity: 'bitcoin' }
const DETAIL: Json & { market_data: Json } = {
  ...wholeDetail(),
  description: { en: 'Money.', de: 'Geld.' },
}
/** Everything that the service leaves out unless it is asked for. */
const WHOLE = { id: 'bitcoin', include_categories_details: 'true', sparkline: 'true' }

function loaded(body: unknown = DETAIL, observedAtMs = NOW_MS): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(coinDetails, body, SLICE, { observedAtMs })
  return warehouse
}

const { categories_details: _details, ...plain } = DETAIL
const { sparkline_7d: _sparkline, ...market_data } = DETAIL.market_data

test.each<[string, Record<string, string>, object]>([
  ['nothing', {}, { ...plain, market_data }],
  ['sparklines', { sparkline: 'true' }, plain],
  ['ids of categories', { include_categories_details: 'true' }, { ...DETAIL, market_data }],
])('the service is asked for %s beside the defaults', (_, params, expected) => {
  expect(loaded().answer('coins/{id}', { id: 'bitcoin', ...params })).toEqual(expected)
})

test.each<[string, object]>([
  ['localization', { description: { en: 'Money.' } }],
  ['market_data', {}],
  ['community_data', {}],
  ['developer_data', {}],
])('the service leaves out %s where it is not wanted', (param, changed) => {
  const { [param]: _left, ...rest } = DETAIL
  const answer = loaded().answer('coins/{id}', { ...WHOLE, [param]: 'false' })
  expect(answer).toEqual({ ...rest, ...changed })
})

describe('tickers', () => {
  const ticker = wholeTicker()
  const tickers = Array.from({ length: 101 }, (_, last) => ({ ...ticker, last }))
  const warehouse = loaded()
  for (const [place, listed] of [[{ ...ticker, last: 5 }], tickers].entries()) {
    const body = { name: 'Bitcoin', tickers: listed }
    warehouse.load(coinTickers, body, SLICE, { observedAtMs: NOW_MS - 1 + place })
  }
  const tickersOf = (params: object) =>
    (warehouse.answer('coins/{id}', { ...WHOLE, ...params }) as { tickers?: unknown }).tickers

  test('are the first 100 of the newest listing, without depth and logo', () => {
    const { cost_to_move_up_usd: _up, cost_to_move_down_usd: _down, ...shallow } = ticker
    const { logo: _logo, ...market } = ticker.market
    const expected = tickers.slice(0, 100).map(({ last }) => ({ ...shallow, market, last }))
    expect(tickersOf({})).toEqual(expected)
    expect(tickersOf({ tickers: 'true' })).toEqual(expected)
  })

  test('are left out where they are not wanted or not known', () => {
    expect(tickersOf({ tickers: 'false' })).toBeUndefined()
    expect(loaded().answer('coins/{id}', WHOLE)).not.toHaveProperty('tickers')
  })
})

test('the newest observation up to now answers, with no row of an older one, for its coin only', () => {
  const bare = { id: 'bitcoin', name: 'B', categories: [], market_data: { ath: {} }, platforms: {} }
  const warehouse = loaded(DETAIL, NOW_MS - 1000)
  warehouse.load(coinDetails, bare, SLICE)
  expect(warehouse.answer('coins/{id}', WHOLE)).toEqual(bare)
  expect(warehouse.answer('coins/{id}', WHOLE, NOW_MS - 1)).toEqual(DETAIL)
  expect(warehouse.answer('coins/{id}', WHOLE, NOW_MS - 1001)).toBeNull()
  expect(warehouse.answer('coins/{id}', { id: 'Bitcoin' })).toBeNull()
})
