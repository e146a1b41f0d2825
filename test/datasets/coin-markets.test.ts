import { describe, expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { coinMarkets } from '../../datasets/coin-markets.ts'
import { exchangeDetails } from '../../datasets/exchange-details.ts'
import { NOW_MS } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'coins/markets'
const DAY_MS = 86_400_000

const coin = (id: string, market_cap: number) => ({ id, symbol: id, name: id, market_cap })

/** The categories in the details of a coin, as if read some days before NOW_MS. */
function categorized(warehouse: Warehouse, id: string, categories: string[], daysAgo = 0): void {
  const details = categories.map((category) => ({ id: category, name: category }))
  const body = { id, symbol: id, name: id, categories, categories_details: details }
  const observedAtMs = NOW_MS - daysAgo * DAY_MS
  warehouse.load(coinDetails, body, { entity: id }, { observedAtMs })
}

describe('chosen coins', () => {
  const chosen = (entity: string, body: unknown) =>
    tablesOf(coinMarkets, body, { entity, vsCurrency: 'usd' })

  test('that are not answered are named', () => {
    const { page, rows } = chosen('bitcoin,gone,x y,BITCOIN', [coin('bitcoin', 9)])
    expect(rows['coin_markets']).toHaveLength(1)
    expect(page.rejected).toEqual([
      { rule: 'not_in_answer', path: '$[*].id', raw: '"gone"' },
      { rule: 'not_in_answer', path: '$[*].id', raw: '"x y"' },
      { rule: 'not_in_answer', path: '$[*].id', raw: '"BITCOIN"' },
    ])
  })

  test('whose row is bad are named once', () => {
    const { page } = chosen('bitcoin', [{ ...coin('bitcoin', 9), market_cap: 'x' }])
    expect(page.rejected.map(({ rule }) => rule)).toEqual(['not_a_number'])
  })

  test('are none when the whole market is listed', () => {
    expect(chosen('', []).page.rejected).toEqual([])
  })
})

test('numbers and flags that come as text are numbers and flags, and served again as text', () => {
  const warehouse = new Warehouse()
  const market = {
    ...coin('bitcoin', 1.5),
    circulating_supply: '17236100.0',
    price_change_24h: '-299.70',
    market_cap_rank: '1',
    roi: { times: '2.50', currency: 'usd', percentage: 250 },
  }
  const slice = { vsCurrency: 'usd' }
  const { rows, page } = tablesOf(coinMarkets, [market], slice)
  expect(page.rejected).toEqual([])
  expect(rows['coin_markets']).toMatchObject([
    { circulating_supply: 17236100, price_change_24h: -299.7, market_cap_rank: 1, roi_times: 2.5 },
  ])
  warehouse.load(coinMarkets, [market], slice)
  expect(warehouse.answer(OPERATION, { vs_currency: 'usd' })).toEqual([market])
  const exchange = { name: 'x', has_trading_incentive: 'true', centralized: 'false' }
  const details = tablesOf(exchangeDetails, exchange, { entity: 'x' })
  expect(details.rows['exchange_details']).toMatchObject([
    { has_trading_incentive: true, centralized: false },
  ])
  warehouse.load(exchangeDetails, exchange, { entity: 'x' })
  expect(warehouse.answer('exchanges/{id}', { id: 'x' })).toMatchObject(exchange)
})

test('prices are rounded on request, and nothing else', () => {
  const warehouse = new Warehouse()
  const market = {
    ...coin('bitcoin', 1.23456),
    current_price: 76975.12345,
    atl: null,
    price_change_percentage_24h: 1.23456,
  }
  warehouse.load(coinMarkets, [market], { vsCurrency: 'usd' })
  const get = (more: object) => warehouse.answer(OPERATION, { vs_currency: 'usd', ...more })
  expect(get({})).toEqual([market])
  expect(get({ precision: 'full' })).toEqual([market])
  expect(get({ precision: '2' })).toEqual([{ ...market, current_price: 76975.12 }])
})

test('sparkline and changes over time frames are told when they are asked for', () => {
  const warehouse = new Warehouse()
  const market = {
    ...coin('bitcoin', 1),
    sparkline_in_7d: { price: [1, 2.5] },
    price_change_percentage_1h_in_currency: 0.5,
    price_change_percentage_7d_in_currency: null,
    price_change_percentage_24h: 3,
  }
  warehouse.load(coinMarkets, [market], { vsCurrency: 'usd' })
  const keys = (more: object): string[] => {
    const [told] = warehouse.answer(OPERATION, { vs_currency: 'usd', ...more }) as object[]
    return Object.keys(told!)
      .slice(4)
      .toSorted((a, b) => (a < b ? -1 : 1))
  }
  const always = 'price_change_percentage_24h'
  expect(keys({})).toEqual([always])
  expect(keys({ sparkline: 'false', price_change_percentage: '14d' })).toEqual([always])
  expect(keys({ price_change_percentage: '1h,7d' })).toEqual([
    'price_change_percentage_1h_in_currency',
    always,
    'price_change_percentage_7d_in_currency',
  ])
  expect(keys({ sparkline: 'true' })).toEqual([always, 'sparkline_in_7d'])
})

describe('coins of a category', () => {
  const warehouse = new Warehouse()
  const listing = [coin('bitcoin', 9), coin('aave', 3), coin('solana', 5), coin('left', 4)]
  warehouse.load(coinMarkets, listing, { vsCurrency: 'usd' })
  categorized(warehouse, 'bitcoin', ['layer-1', 'pow'])
  categorized(warehouse, 'solana', ['layer-1'], 3)
  categorized(warehouse, 'aave', ['defi'])
  categorized(warehouse, 'left', ['layer-1'], 2)
  categorized(warehouse, 'left', ['defi'], 1)
  categorized(warehouse, 'gone', ['layer-1'])
  const ids = (params: object, nowMs = NOW_MS) => {
    const asked = { vs_currency: 'usd', category: 'layer-1', ...params }
    return (warehouse.answer(OPERATION, asked, nowMs) as { id: string }[]).map(({ id }) => id)
  }

  test('are those whose newest details say so, in the order of the listing', () => {
    expect(ids({})).toEqual(['bitcoin', 'solana'])
    expect(ids({ order: 'market_cap_asc' })).toEqual(['solana', 'bitcoin'])
    expect(ids({ category: 'defi' })).toEqual(['left', 'aave'])
    expect(ids({ category: 'unknown' })).toEqual([])
    expect(ids({ ids: 'aave,solana' })).toEqual(['solana'])
    expect(ids({ ids: 'aave, solana' })).toEqual(['solana'])
  })

  test('are paged behind the filter', () => {
    expect(ids({ per_page: '1' })).toEqual(['bitcoin'])
    expect(ids({ per_page: '1', page: '2' })).toEqual(['solana'])
    expect(ids({ per_page: '1', page: '3' })).toEqual([])
  })
})
