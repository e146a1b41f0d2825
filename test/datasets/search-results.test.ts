import { describe, expect, test } from 'vitest'
import { categories } from '../../datasets/categories.ts'
import { coinMarkets } from '../../datasets/coin-markets.ts'
import { coins } from '../../datasets/coins.ts'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { exchanges } from '../../datasets/exchanges.ts'
import { searchResults } from '../../datasets/search-results.ts'
import { trendingCoins } from '../../datasets/trending-coins.ts'
import { Warehouse } from './warehouse.ts'

describe('a text that nobody searched for', () => {
  const coin = (id: string, symbol: string, name: string) => ({ id, symbol, name, platforms: {} })
  const market = (id: string, symbol: string, name: string, cap: number, rank: number) => {
    return { id, symbol, name, market_cap: cap, market_cap_rank: rank, image: `i/large/${id}.png` }
  }
  const warehouse = new Warehouse()
  const others = [coin('big', 'bit', 'Big'), coin('none', 'x', '%_Bit')]
  warehouse.load(coins, [coin('small', 'BTS', 'Bit (small)'), ...others])
  const markets = [market('small', 'bts', 'Bit (small)', 1, 2), market('big', 'bit', 'Big', 9, 1)]
  warehouse.load(coinMarkets, markets, { vsCurrency: 'usd' })
  const venues = [
    { id: 'bitmex', name: 'BitMEX' },
    { id: 'kraken', name: 'Kraken' },
  ]
  warehouse.load(exchanges, venues)
  const stats = [{ ...venues[1]!, image: 'e/small/1.png' }]
  warehouse.load(exchanges, stats, {}, { stepIndex: 1 })
  warehouse.load(derivativeExchanges, [venues[0]])
  warehouse.load(categories, [{ category_id: 'bitcoin-l2', name: 'Layer 2' }])
  const collection = {
    id: 'ducks',
    name: 'DUCKS: on a "Lake"',
    symbol: 'BITDUCK',
    thumb: 'n/1.png',
  }
  const other = { id: 'apes', name: 'Apes', symbol: 'APE', thumb: 'n/2.png' }
  warehouse.load(trendingCoins, { coins: [], nfts: [collection, other] })
  const search = (query: string) => warehouse.answer('search', { query })

  test('is looked for in the names of all that is listed, coins by market cap', () => {
    const missing = { thumb: 'missing_thumb.png', large: 'missing_large.png' }
    const imagesOf = (id: string) => ({ thumb: `i/thumb/${id}.png`, large: `i/large/${id}.png` })
    const found = (id: string, name: string, symbol: string, market_cap_rank: number | null) => {
      return { id, name, api_symbol: id, symbol, market_cap_rank }
    }
    expect(search('BIT')).toEqual({
      coins: [
        { ...found('big', 'Big', 'BIT', 1), ...imagesOf('big') },
        { ...found('small', 'Bit (small)', 'BTS', 2), ...imagesOf('small') },
        { ...found('none', '%_Bit', 'X', null), ...missing },
      ],
      exchanges: [{ id: 'bitmex', name: 'BitMEX', market_type: 'futures', ...missing }],
      icos: [],
      categories: [{ id: 'bitcoin-l2', name: 'Layer 2' }],
      nfts: [collection],
    })
    expect(search('krak')).toMatchObject({
      coins: [],
      exchanges: [
        { id: 'kraken', market_type: 'spot', thumb: 'e/thumb/1.png', large: 'e/small/1.png' },
      ],
    })
    expect(search('%_')).toMatchObject({ coins: [{ id: 'none' }], exchanges: [] })
  })

  test('finds nothing where nothing is', () => {
    const none = { coins: [], exchanges: [], icos: [], categories: [], nfts: [] }
    expect(search('zzz')).toEqual(none)
    expect(new Warehouse().answer('search', { query: 'bit' })).toEqual(none)
  })

  test('has 25 results of a kind at most', () => {
    const many = new Warehouse()
    const list = Array.from({ length: 40 }, (_, n) => coin(`c${n}`, 'c', `Coin ${n}`))
    many.load(coins, list)
    const body = many.answer('search', { query: 'coin' }) as { coins: unknown[] }
    expect(body.coins).toHaveLength(25)
  })
})

test('a recorded search is found in either case, and each spelling by itself', () => {
  const warehouse = new Warehouse()
  const found = (id: string) => ({ coins: [{ id }], exchanges: [], categories: [] })
  for (const entity of ['Bit', 'BIT', 'bitcoin']) {
    warehouse.load(searchResults, found(`of ${entity}`), { entity })
  }
  const search = (query: string) => warehouse.answer('search', { query })
  expect(search('BIT')).toEqual(found('of BIT'))
  expect(search('bit')).toEqual(found('of Bit'))
  expect(search('BITCOIN')).toEqual(found('of bitcoin'))
})

test.each([
  ['search_results', searchResults, { coins: [], exchanges: [], categories: [], nfts: null }],
  ['trending_coins', trendingCoins, { coins: [], nfts: null, categories: null }],
])('%s: a list that is null is served as null, and costs no other list', (_, dataset, body) => {
  const warehouse = new Warehouse()
  const slice = dataset.entity === null ? {} : { entity: 'q' }
  expect(warehouse.load(dataset, body, slice).rejected).toEqual([])
  expect(warehouse.answer(dataset.operations[0]!, { query: 'q' })).toEqual(body)
  const bent = { ...body, nfts: 'none' }
  expect(new Warehouse().load(dataset, bent, slice).rejected).toEqual([
    { rule: 'not_an_array', path: '$.nfts', raw: '"none"' },
  ])
})
