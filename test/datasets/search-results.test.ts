import { describe, expect, test } from 'vitest'
import { categories } from '../../datasets/categories.ts'
import { coinMarkets } from '../../datasets/coin-markets.ts'
import { coins } from '../../datasets/coins.ts'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { exchanges } from '../../datasets/exchanges.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { searchResults } from '../../datasets/search-results.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const QUERY = 'eth & "b,c" 🦀'
const SLICE = { entity: QUERY }

const COIN = {
  id: 'ethereum',
  name: 'Ethereum',
  api_symbol: 'ethereum',
  symbol: 'ETH',
  market_cap_rank: null,
  thumb: 't.png',
  large: 'l.png',
}
const EXCHANGE = {
  id: 'uniswap_v3',
  name: 'Uniswap V3',
  market_type: 'spot',
  thumb: 't',
  large: 'l',
}
const NFT = { id: 'ens', name: 'ENS', symbol: 'ENS', thumb: 'n.png' }
const BODY = {
  coins: [COIN, { ...COIN, id: '1move token', market_cap_rank: 2 }],
  exchanges: [EXCHANGE],
  icos: [] as unknown[],
  categories: [{ id: 'ethereum-pos-iou', name: 'Ethereum PoS IOU' }] as unknown[],
  nfts: [NFT],
}

function warehouseOf(body: unknown, observedAtMs = NOW, warehouse = new Warehouse()): Warehouse {
  warehouse.load(searchResults, body, pageOf(searchResults, SLICE, { observedAtMs }))
  return warehouse
}

function answerTo(body: unknown): unknown {
  return warehouseOf(body).answer('search', { query: QUERY }, NOW)
}

test('columns hold what they are named after', () => {
  const { rows } = tablesOf(searchResults, BODY, SLICE)
  const at = {
    query: QUERY,
    observed_at: NOW,
    observed_date: '2030-01-01',
    _absent: null,
    _extra: null,
  }
  const nothing = {
    api_symbol: null,
    symbol: null,
    market_cap_rank: null,
    market_type: null,
    thumb: null,
    large: null,
  }
  const coin = {
    ...at,
    ...nothing,
    kind: 'coin',
    name: 'Ethereum',
    api_symbol: 'ethereum',
    symbol: 'ETH',
    thumb: 't.png',
    large: 'l.png',
  }
  expect(rows).toEqual({
    searches: [
      { ...at, coin_count: 2, exchange_count: 1, ico_count: 0, category_count: 1, nft_count: 1 },
    ],
    search_results: [
      { ...coin, ordinal: 0, result_id: 'ethereum' },
      { ...coin, ordinal: 1, result_id: '1move token', market_cap_rank: 2 },
      {
        ...at,
        ...nothing,
        kind: 'exchange',
        ordinal: 0,
        result_id: 'uniswap_v3',
        name: 'Uniswap V3',
        market_type: 'spot',
        thumb: 't',
        large: 'l',
      },
      {
        ...at,
        ...nothing,
        kind: 'category',
        ordinal: 0,
        result_id: 'ethereum-pos-iou',
        name: 'Ethereum PoS IOU',
      },
      {
        ...at,
        ...nothing,
        kind: 'nft',
        ordinal: 0,
        result_id: 'ens',
        name: 'ENS',
        symbol: 'ENS',
        thumb: 'n.png',
      },
    ],
  })
})

describe('recordings', () => {
  const recorded = samples('search--')
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(2))

  test.each(recorded)('%s comes back as it was', (_, body) => {
    const { page, rows } = tablesOf(searchResults, body, SLICE)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    for (const row of Object.values(rows).flat()) expect(row['_absent']).toBeNull()
    expect(answerTo(body)).toEqual(body)
  })
})

const { nfts: _nfts, icos: _icos, ...oldest } = BODY

test.each([
  ['everything', BODY],
  ['nothing found', { coins: [], exchanges: [], icos: [], categories: [], nfts: [] }],
  ['lists that are left out', oldest],
  ['one result twice', { ...BODY, coins: [COIN, COIN] }],
  [
    'ids that are numbers',
    {
      ...BODY,
      categories: [
        { id: 8, name: 'Infrastructure' },
        { id: 8.5, name: 'x' },
      ],
    },
  ],
  ['sales of any shape', { ...BODY, icos: [{ id: 'x', start: 1 }, { a: [1e-11] }, { id: null }] }],
  ['keys that are new', { ...BODY, mood: { a: 1 }, nfts: [{ ...NFT, floor: null }] }],
  ['keys that are left out', { ...BODY, coins: [{ id: 'x' }] }],
])('%s comes back', (_, body) => {
  const { page } = tablesOf(searchResults, body, SLICE)
  expect(page.rejected).toEqual([])
  expect(answerTo(body)).toEqual(body)
})

test('the newest search of this very text answers', () => {
  const warehouse = warehouseOf(BODY, Date.UTC(2029, 0, 1))
  const none = { coins: [], exchanges: [], icos: [], categories: [], nfts: [] }
  warehouseOf(none, Date.UTC(2029, 0, 2), warehouse)
  expect(warehouse.answer('search', { query: QUERY }, NOW)).toEqual(none)
  expect(warehouse.answer('search', { query: QUERY }, Date.UTC(2029, 0, 1, 23))).toEqual(BODY)
})

test('new keys are counted where they stand', () => {
  const body = {
    ...BODY,
    mood: 1,
    coins: [{ ...COIN, mood: 1 }, COIN, { ...COIN, mood: 1 }],
    icos: [{ start: 1 }],
  }
  expect(tablesOf(searchResults, body, SLICE).page.unknownPaths).toEqual({
    '$.mood': 1,
    '$.coins[*].mood': 2,
    '$.icos[*].start': 1,
  })
})

test.each([
  ['null', null, '$ is no object'],
  ['an array', [], '$ is no object'],
  ['HTML', '<html></html>', '$ is no object'],
  ['an empty object', {}, '$.coins is no array'],
  ['an error with status 200', { error: 'x' }, '$.coins is no array'],
  ['coins that are null', { ...BODY, coins: null }, '$.coins is no array'],
  ['no exchanges', { coins: [], categories: [] }, '$.exchanges is no array'],
  ['collections that are null', { ...BODY, nfts: null }, '$.nfts is no array'],
  ['sales by name', { ...BODY, icos: {} }, '$.icos is no array'],
])('%s is refused whole', (_, body, message) => {
  expect(() => tablesOf(searchResults, body, SLICE)).toThrow(message)
})

test.each([
  ['missing_result_id', '$.coins[0].id', { coins: [{ ...COIN, id: null }] }],
  ['missing_result_id', '$.categories[0].id', { categories: [{ name: 'x' }] }],
  ['not_a_text', '$.exchanges[0].id', { exchanges: [{ ...EXCHANGE, id: true }] }],
  ['not_an_integer', '$.coins[0].market_cap_rank', { coins: [{ ...COIN, market_cap_rank: '1' }] }],
  ['not_a_text', '$.categories[0].name', { categories: [{ id: 8, name: 5 }] }],
  ['not_an_object', '$.nfts[0]', { nfts: ['ens'] }],
  ['not_an_object', '$.coins[0]', { coins: [null] }],
])('%s at %s costs one result, kept as it was in quarantine', (rule, path, change) => {
  const { page, rows } = tablesOf(searchResults, { ...BODY, ...change }, SLICE)
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(Object.values(change)[0]![0]) }])
  expect(rows['searches']).toHaveLength(1)
})

test('one request answers a slice', () => {
  const { slice } = pageOf(searchResults, SLICE)
  expect(searchResults.steps(slice, { nowMs: NOW, attempt: 1, maxHistoryDays: null })).toEqual([
    { operation: 'search', params: { query: QUERY }, paging: 'single', perPage: 0 },
  ])
})

describe('a text that nobody searched for', () => {
  const coin = (id: string, symbol: string, name: string) => ({ id, symbol, name, platforms: {} })
  const market = (id: string, symbol: string, name: string, cap: number, rank: number) => {
    return { id, symbol, name, market_cap: cap, market_cap_rank: rank, image: `i/large/${id}.png` }
  }
  const warehouse = new Warehouse()
  const list = [
    coin('small', 'BTS', 'Bit (small)'),
    coin('big', 'bit', 'Big'),
    coin('none', 'x', '%_Bit'),
  ]
  warehouse.load(coins, list, pageOf(coins))
  const markets = [market('small', 'bts', 'Bit (small)', 1, 2), market('big', 'bit', 'Big', 9, 1)]
  warehouse.load(coinMarkets, markets, pageOf(coinMarkets, { vsCurrency: 'usd' }))
  const venues = [
    { id: 'bitmex', name: 'BitMEX' },
    { id: 'kraken', name: 'Kraken' },
  ]
  warehouse.load(exchanges, venues, pageOf(exchanges))
  const stats = [{ ...venues[1]!, image: 'e/small/1.png' }]
  warehouse.load(exchanges, stats, pageOf(exchanges, {}, { stepIndex: 1 }))
  warehouse.load(derivativeExchanges, [venues[0]], pageOf(derivativeExchanges))
  warehouse.load(categories, [{ category_id: 'bitcoin-l2', name: 'Layer 2' }], pageOf(categories))
  const search = (query: string) => warehouse.answer('search', { query }, NOW)

  test('is looked for in the names of all that is listed, coins by market cap', () => {
    expect(search('BIT')).toEqual({
      coins: [
        {
          id: 'big',
          name: 'Big',
          api_symbol: 'big',
          symbol: 'BIT',
          market_cap_rank: 1,
          thumb: 'i/thumb/big.png',
          large: 'i/large/big.png',
        },
        {
          id: 'small',
          name: 'Bit (small)',
          api_symbol: 'small',
          symbol: 'BTS',
          market_cap_rank: 2,
          thumb: 'i/thumb/small.png',
          large: 'i/large/small.png',
        },
        {
          id: 'none',
          name: '%_Bit',
          api_symbol: 'none',
          symbol: 'X',
          market_cap_rank: null,
          thumb: 'missing_thumb.png',
          large: 'missing_large.png',
        },
      ],
      exchanges: [
        {
          id: 'bitmex',
          name: 'BitMEX',
          market_type: 'futures',
          thumb: 'missing_thumb.png',
          large: 'missing_large.png',
        },
      ],
      icos: [],
      categories: [{ id: 'bitcoin-l2', name: 'Layer 2' }],
      nfts: [],
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
    expect(new Warehouse().answer('search', { query: 'bit' }, NOW)).toEqual(none)
  })

  test('has 25 results of a kind at most', () => {
    const many = new Warehouse()
    const list = Array.from({ length: 40 }, (_, n) => coin(`c${n}`, 'c', `Coin ${n}`))
    many.load(coins, list, pageOf(coins))
    const body = many.answer('search', { query: 'coin' }, NOW) as { coins: unknown[] }
    expect(body.coins).toHaveLength(25)
  })
})
