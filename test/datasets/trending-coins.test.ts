import { describe, expect, test } from 'vitest'
import { jsonText } from '../../datasets/json-text.ts'
import { trendingCoins } from '../../datasets/trending-coins.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const OPERATION = 'search/trending'

const COIN = {
  id: 'qubic-network',
  coin_id: 32_949,
  name: 'Qubic',
  symbol: 'QUBIC',
  market_cap_rank: null,
  thumb: 't.png',
  small: 's.png',
  large: 'l.png',
  slug: 'qubic',
  price_btc: 1.1792020782950375e-11,
  score: 3,
}
const DATA = {
  price: 9.04766669820536e-7,
  price_btc: '0.00000000001179202078295037',
  price_change_percentage_24h: { usd: -3.27, btc: null },
  market_cap: '$104,127,324',
  market_cap_btc: '1354.025469919968',
  total_volume: '$3,463,333',
  total_volume_btc: '45.13837130375957',
  sparkline: 'c.svg',
  content: { title: 'What is it?', description: 'A "coin", \r\n 🦀.' },
}
const NFT = {
  id: 'runestone',
  name: 'Runestone',
  symbol: 'RUNESTONE',
  thumb: 'n.png',
  nft_contract_id: 4200,
  native_currency_symbol: 'btc',
  floor_price_in_native_currency: 0.00168,
  floor_price_24h_percentage_change: -7.34,
  data: {
    floor_price: '0.002 BTC',
    floor_price_in_usd_24h_percentage_change: '-7.340129332743706',
    h24_volume: '0.24 BTC',
    h24_average_sale_price: '<0.001 BTC',
    sparkline: 'n.svg',
    content: null,
  },
}
const CATEGORY = {
  id: 225,
  name: 'ChainGPT Launchpad',
  market_cap_1h_change: -0.15,
  slug: 'chaingpt-pad',
  coins_count: '11',
  top_3_coins_images: ['a.png', null],
  data: {
    market_cap: 95_999_175.78764266,
    market_cap_btc: 1251.05,
    total_volume: 2 ** 60,
    total_volume_btc: 476.5,
    market_cap_change_percentage_24h: { aed: 1.5, usd: -0 },
    sparkline: 'g.svg',
  },
}
const BODY = {
  coins: [{ item: { ...COIN, data: DATA } }],
  nfts: [NFT],
  categories: [CATEGORY],
}

function warehouseOf(body: unknown, observedAtMs = NOW, warehouse = new Warehouse()): Warehouse {
  warehouse.load(trendingCoins, body, pageOf(trendingCoins, {}, { observedAtMs }))
  return warehouse
}

test('columns hold what they are named after', () => {
  const { rows } = tablesOf(trendingCoins, BODY)
  const at = { observed_at: NOW, observed_date: '2030-01-01' }
  const whole = { ...at, _absent: null, _extra: null }
  expect(rows).toEqual({
    trending_lists: [
      {
        ...whole,
        coin_count: 1,
        nft_count: 1,
        category_count: 1,
        exchanges: null,
        _absent: '["exchanges"]',
      },
    ],
    trending_coins: [
      {
        ...whole,
        ordinal: 0,
        coin_id: 'qubic-network',
        coin_number: 32_949,
        name: 'Qubic',
        symbol: 'QUBIC',
        market_cap_rank: null,
        thumb: 't.png',
        small: 's.png',
        large: 'l.png',
        slug: 'qubic',
        price_btc: 1.1792020782950375e-11,
        score: 3,
        price_usd: 9.04766669820536e-7,
        price_usd_text: null,
        data_price_btc: 1.179202078295037e-11,
        data_price_btc_text: '0.00000000001179202078295037',
        market_cap_usd: 104_127_324,
        market_cap_usd_text: '$104,127,324',
        market_cap_btc: 1354.025469919968,
        market_cap_btc_text: '1354.025469919968',
        total_volume_usd: 3_463_333,
        total_volume_usd_text: '$3,463,333',
        total_volume_btc: 45.13837130375957,
        total_volume_btc_text: '45.13837130375957',
        sparkline: 'c.svg',
        content: '{"title":"What is it?","description":"A \\"coin\\", \\r\\n 🦀."}',
      },
    ],
    trending_coin_changes: [
      { ...at, coin_id: 'qubic-network', vs_currency: 'usd', price_change_percentage_24h: -3.27 },
      { ...at, coin_id: 'qubic-network', vs_currency: 'btc', price_change_percentage_24h: null },
    ],
    trending_nfts: [
      {
        ...whole,
        ordinal: 0,
        nft_id: 'runestone',
        name: 'Runestone',
        symbol: 'RUNESTONE',
        thumb: 'n.png',
        nft_contract_id: 4200,
        native_currency_symbol: 'btc',
        floor_price_in_native_currency: 0.00168,
        floor_price_24h_percentage_change: -7.34,
        floor_price: 0.002,
        floor_price_text: '0.002 BTC',
        floor_price_usd_24h_percentage_change: -7.340129332743706,
        floor_price_usd_24h_percentage_change_text: '-7.340129332743706',
        volume_24h: 0.24,
        volume_24h_text: '0.24 BTC',
        average_sale_price_24h: null,
        average_sale_price_24h_text: '<0.001 BTC',
        sparkline: 'n.svg',
        content: null,
      },
    ],
    trending_categories: [
      {
        ...whole,
        ordinal: 0,
        category_number: 225,
        name: 'ChainGPT Launchpad',
        market_cap_1h_change: -0.15,
        slug: 'chaingpt-pad',
        coins_count: 11,
        coins_count_text: '11',
        top_3_coins_images: '["a.png",null]',
        market_cap_usd: 95_999_175.78764266,
        market_cap_btc: 1251.05,
        total_volume_usd: 2 ** 60,
        total_volume_btc: 476.5,
        sparkline: 'g.svg',
      },
    ],
    trending_category_changes: [
      { ...at, category_number: 225, vs_currency: 'aed', market_cap_change_percentage_24h: 1.5 },
      { ...at, category_number: 225, vs_currency: 'usd', market_cap_change_percentage_24h: -0 },
    ],
  })
})

describe('recordings', () => {
  const recorded = samples('search-trending-')
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(3))

  test.each(recorded)('%s comes back as it was', (_, body) => {
    const { page, rows } = tablesOf(trendingCoins, body)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    expect(page.counts.duplicate).toBe(0)
    // Documented values have columns: nothing is only kept as technical text.
    for (const row of Object.values(rows).flat()) expect(row['_extra'] ?? null).toBeNull()
    expect(warehouseOf(body).answer(OPERATION, {}, NOW)).toEqual(body)
  })
})

const coinOf = (data: object) => ({ ...BODY, coins: [{ item: { ...COIN, data } }] })
const { nfts: _nfts, ...withoutNfts } = BODY

test.each([
  ['everything', BODY],
  ['coins of 2021', { coins: [{ item: COIN }], exchanges: [] }],
  ['empty lists', { coins: [], nfts: [], categories: [] }],
  ['a list that is left out', withoutNfts],
  ['exchanges of any kind', { ...BODY, exchanges: [{ id: 'x' }] }],
  ['no data', { ...BODY, coins: [{ item: { ...COIN, data: null } }] }],
  ['data of nulls', coinOf({ price: null, price_change_percentage_24h: null })],
  ['an empty map', coinOf({ ...DATA, price_change_percentage_24h: {} })],
  ['a price as text', coinOf({ ...DATA, price: '0.00000090476666982053600000001' })],
  ['a price made for the eye', coinOf({ ...DATA, price: '$2,412.46' })],
  ['a price in HTML', coinOf({ ...DATA, price: '$0.0<sub title="0.000001532">5</sub>1532' })],
  ['a price in other words', coinOf({ ...DATA, price: 'soon' })],
  ['market data in other words', coinOf({ ...DATA, market_cap: 'much', total_volume: '' })],
  ['market data as numbers', coinOf({ ...DATA, market_cap: 104_127_324, market_cap_btc: 1e-7 })],
  [
    'data that is new',
    coinOf({ ...DATA, fdv: '$1', price_change_percentage_24h: { usd: 2 ** 60 } }),
  ],
  ['a count as a number', { ...BODY, categories: [{ ...CATEGORY, coins_count: 11 }] }],
  ['a count with commas', { ...BODY, categories: [{ ...CATEGORY, coins_count: '1,234' }] }],
  ['no pictures', { ...BODY, categories: [{ ...CATEGORY, top_3_coins_images: null }] }],
  ['keys that are new', { ...BODY, mood: [1], nfts: [{ ...NFT, mood: { a: 1 } }] }],
  [
    'awkward ids',
    {
      ...BODY,
      coins: ['_', '1move token', '[old]', ''].map((id) => ({ item: { ...COIN, id, data: DATA } })),
    },
  ],
])('%s comes back', (_, body) => {
  expect(warehouseOf(body).answer(OPERATION, {}, NOW)).toEqual(body)
})

test('the newest observation answers, with items of its own moment only', () => {
  const warehouse = warehouseOf(BODY, Date.UTC(2029, 0, 1))
  const later = { coins: [{ item: COIN }], nfts: [], categories: [] }
  warehouseOf(later, Date.UTC(2029, 0, 2), warehouse)
  expect(warehouse.answer(OPERATION, {}, NOW)).toEqual(later)
  expect(warehouse.answer(OPERATION, {}, Date.UTC(2029, 0, 1, 23))).toEqual(BODY)
  expect(new Warehouse().answer(OPERATION, {}, NOW)).toBeNull()
})

test('new keys are counted where they stand', () => {
  const body = {
    ...coinOf({ ...DATA, fdv: 1 }),
    mood: 1,
    nfts: [
      { ...NFT, mood: 1 },
      { ...NFT, id: 'b', mood: 1 },
    ],
  }
  const wrapped = { ...body, coins: [{ ...body.coins[0]!, rank: 1 }] }
  expect(tablesOf(trendingCoins, wrapped).page.unknownPaths).toEqual({
    '$.mood': 1,
    '$.coins[*].rank': 1,
    '$.coins[*].item.data.fdv': 1,
    '$.nfts[*].mood': 2,
  })
})

test('the same coin twice: the last one wins and is counted', () => {
  const body = { coins: [{ item: COIN }, { item: { ...COIN, score: 9 } }] }
  const { page, rows } = tablesOf(trendingCoins, body)
  expect(page.counts.duplicate).toBe(1)
  expect(rows['trending_coins']?.map((row) => [row['score'], row['ordinal']])).toEqual([[9, 1]])
})

test.each([
  ['null', null, '$ is no object'],
  ['an array', [], '$ is no object'],
  ['HTML', '<html></html>', '$ is no object'],
  ['an empty object', {}, '$.coins is no array'],
  ['an error with status 200', { error: 'x' }, '$.coins is no array'],
  ['coins that are null', { ...BODY, coins: null }, '$.coins is no array'],
  ['collections that are null', { ...BODY, nfts: null }, '$.nfts is no array'],
  ['categories by name', { ...BODY, categories: {} }, '$.categories is no array'],
])('%s is refused whole', (_, body, message) => {
  expect(() => tablesOf(trendingCoins, body)).toThrow(message)
})

test.each([
  ['not_an_object', '$.coins[0].item', { id: 'flat' }],
  ['not_an_object', '$.coins[0]', null],
  ['not_an_object', '$.coins[0].item', { item: [] }],
  ['missing_coin_id', '$.coins[0].item.id', { item: { ...COIN, id: null } }],
  ['not_an_integer', '$.coins[0].item.score', { item: { ...COIN, score: '0' } }],
  ['not_a_text', '$.coins[0].item.data.price', { item: { ...COIN, data: { price: true } } }],
  [
    'not_a_decimal',
    '$.coins[0].item.data.price_btc',
    { item: { ...COIN, data: { price_btc: '5 BTC' } } },
  ],
  ['not_an_object', '$.coins[0].item.data', { item: { ...COIN, data: 'x' } }],
  [
    'not_an_object',
    '$.coins[0].item.data.price_change_percentage_24h',
    { item: { ...COIN, data: { price_change_percentage_24h: 5 } } },
  ],
])('%s at %s costs one coin, kept whole in quarantine', (rule, path, bad) => {
  const { page, rows } = tablesOf(trendingCoins, { ...BODY, coins: [bad, BODY.coins[0]] })
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(rows['trending_coins']?.map((row) => row['ordinal'])).toEqual([1])
  expect(rows['trending_lists']?.map((row) => row['coin_count'])).toEqual([2])
})

test.each([
  ['missing_nft_id', '$.nfts[0].id', { nfts: [{ name: 'x' }] }],
  ['not_an_integer', '$.categories[0].id', { categories: [{ ...CATEGORY, id: 'defi' }] }],
  ['not_an_object', '$.categories[0]', { categories: ['defi'] }],
])('%s at %s costs one item', (rule, path, change) => {
  const { page, rows } = tablesOf(trendingCoins, { ...BODY, ...change })
  const [bad] = Object.values(change)[0] as unknown[]
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(rows['trending_coins']).toHaveLength(1)
})

test('a bad member of a map costs that member', () => {
  const body = coinOf({ ...DATA, price_change_percentage_24h: { usd: 1, btc: '2' } })
  const { page, rows } = tablesOf(trendingCoins, body)
  const path = '$.coins[0].item.data.price_change_percentage_24h.btc'
  expect(page.rejected).toEqual([{ rule: 'not_a_number', path, raw: '"2"' }])
  expect(rows['trending_coin_changes']).toHaveLength(1)
})

test('one request answers a slice', () => {
  const { slice } = pageOf(trendingCoins)
  expect(trendingCoins.steps(slice, { nowMs: NOW, attempt: 1, maxHistoryDays: null })).toEqual([
    { operation: OPERATION, params: {}, paging: 'single', perPage: 0 },
  ])
})
