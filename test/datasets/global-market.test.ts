import { describe, expect, test } from 'vitest'
import { globalMarket } from '../../datasets/global-market.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
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

function warehouseOf(data: object, observedAtMs = NOW, warehouse = new Warehouse()): Warehouse {
  warehouse.load(globalMarket, { data }, pageOf(globalMarket, {}, { observedAtMs }))
  return warehouse
}

test('columns hold what they are named after', () => {
  const { rows } = tablesOf(globalMarket, { data: DATA })
  const at = { observed_at: NOW, observed_date: '2030-01-01', _absent: null }
  expect(rows).toEqual({
    global_market: [
      {
        ...at,
        _extra: null,
        active_cryptocurrencies: 17_397,
        upcoming_icos: 0,
        ongoing_icos: 49,
        ended_icos: 3376,
        markets: 1476,
        market_cap_change_percentage_24h_usd: -1.6081983639177684,
        volume_change_percentage_24h_usd: 33.064521460740046,
        updated_at: 1_779_878_351_000,
      },
    ],
    global_market_by_currency: [
      {
        ...at,
        vs_currency: 'btc',
        total_market_cap: 34_570_737.199462704,
        total_volume: 1_254_779.1727158197,
      },
      {
        ...at,
        vs_currency: 'vnd',
        total_market_cap: 64_910_168_314_424_270,
        total_volume: null,
        _absent: '["total_volume"]',
      },
      { ...at, vs_currency: 'usd', total_market_cap: 9_007_199_254_740_994, total_volume: null },
      {
        ...at,
        vs_currency: 'sats',
        total_market_cap: null,
        total_volume: 1e-11,
        _absent: '["total_market_cap"]',
      },
    ],
    global_market_dominance: [
      { ...at, symbol: 'btc', market_cap_percentage: 57.9539332566265 },
      { ...at, symbol: 'usdt', market_cap_percentage: 7.223241338072757 },
    ],
  })
})

describe('recordings', () => {
  const recorded = samples('global--')
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(3))

  test.each(recorded)('%s comes back as it was', (_, body) => {
    const { page } = tablesOf(globalMarket, body)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    const { data } = body as { data: object }
    expect(warehouseOf(data).answer('global', {}, NOW)).toEqual(body)
  })
})

const { volume_change_percentage_24h_usd: _, total_volume: _volume, ...before2026 } = DATA

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

test.each([
  ['everything', DATA],
  ['keys that are left out', before2026],
  [
    'maps that are empty',
    { ...DATA, total_market_cap: {}, total_volume: {}, market_cap_percentage: {} },
  ],
  ['no totals', withoutTotals],
  ['totals that are null', { ...DATA, total_market_cap: null }],
  ['nothing but one count', { markets: 1 }],
  ['maps that are null', { ...DATA, total_volume: null, market_cap_percentage: null }],
  [
    'codes of any kind',
    { ...DATA, total_volume: { '': 1, 'usd;"x"': 2, '🦀': 3, constructor: 4, 1: 5 } },
  ],
  ['keys that are new', { ...DATA, sentiment: { fear: [1, null, 1e-11] } }],
  ['a time between two seconds', { ...DATA, updated_at: 1_779_878_351.25 }],
  ['-0', { ...DATA, total_volume: { usd: -0 }, market_cap_change_percentage_24h_usd: -0 }],
])('%s comes back', (_, data) => {
  expect(warehouseOf(data).answer('global', {}, NOW)).toEqual({ data })
})

test('the newest observation answers, with the maps of its own moment', () => {
  const warehouse = warehouseOf(DATA, Date.UTC(2029, 0, 1))
  const later = { ...DATA, markets: 1, total_volume: {}, market_cap_percentage: {} }
  warehouseOf(later, Date.UTC(2029, 0, 2), warehouse)
  expect(warehouse.answer('global', {}, NOW)).toEqual({ data: later })
  expect(warehouse.answer('global', {}, Date.UTC(2029, 0, 1, 23))).toEqual({ data: DATA })
  expect(new Warehouse().answer('global', {}, NOW)).toBeNull()
})

test('new keys are counted', () => {
  const { page } = tablesOf(globalMarket, { data: { ...DATA, mood: 1 }, status: {} })
  expect(page.unknownPaths).toEqual({ '$.data.mood': 1, '$.status': 1 })
})

test.each([
  ['null', null, '$.data is no object'],
  ['an array', [], '$.data is no object'],
  ['HTML', '<html></html>', '$.data is no object'],
  ['an empty object', {}, '$.data is no object'],
  ['an error with status 200', { error: 'x' }, '$.data is no object'],
  ['no data', { data: null }, '$.data is no object'],
  ['a list of data', { data: [DATA] }, '$.data is no object'],
  ['nothing in it', { data: {} }, '$.data has none of the keys of a whole market'],
  ['nothing known in it', { data: { x: 1 } }, '$.data has none of the keys of a whole market'],
])('%s is refused whole', (_, body, message) => {
  expect(() => tablesOf(globalMarket, body)).toThrow(message)
})

test.each([
  ['not_an_integer', '$.data.markets', { markets: '1476' }],
  ['not_a_timestamp', '$.data.updated_at', { updated_at: '2026-05-26T10:21:17Z' }],
  [
    'not_a_number',
    '$.data.market_cap_change_percentage_24h_usd',
    { market_cap_change_percentage_24h_usd: {} },
  ],
  ['not_an_object', '$.data.total_volume', { total_volume: 5 }],
  ['not_an_object', '$.data.market_cap_percentage', { market_cap_percentage: [1] }],
])('%s at %s costs the observation, kept whole in quarantine', (rule, path, change) => {
  const { page, rows } = tablesOf(globalMarket, { data: { ...DATA, ...change } })
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText({ ...DATA, ...change }) }])
  expect(Object.values(rows).flat()).toEqual([])
})

test('a bad member of a map costs that member', () => {
  const data = { ...DATA, total_volume: { ...DATA.total_volume, eth: '5', sol: Infinity } }
  const { page, rows } = tablesOf(globalMarket, { data })
  expect(page.rejected).toEqual([
    { rule: 'not_a_number', path: '$.data.total_volume.eth', raw: '"5"' },
    { rule: 'not_finite', path: '$.data.total_volume.sol', raw: '1e999' },
  ])
  expect(rows['global_market']).toHaveLength(1)
  expect(rows['global_market_by_currency']).toHaveLength(4)
})

test('one request answers a slice', () => {
  const { slice } = pageOf(globalMarket)
  expect(globalMarket.steps(slice, { nowMs: NOW, attempt: 1, maxHistoryDays: null })).toEqual([
    { operation: 'global', params: {}, paging: 'single', perPage: 0 },
  ])
})
