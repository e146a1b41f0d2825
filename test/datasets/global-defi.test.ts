import { describe, expect, test } from 'vitest'
import { globalDefi } from '../../datasets/global-defi.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const OPERATION = 'global/decentralized_finance_defi'
const RATIO = '25.9177136602677348904432522573101031788841174510865443130135278'
const DIGITS_100 = `${'9'.repeat(60)}.${'123'.repeat(14)}`
const DATA = {
  defi_market_cap: '105273842288.229620442228701667',
  eth_market_cap: DIGITS_100,
  defi_to_eth_ratio: RATIO,
  trading_volume_24h: '0.00000000001',
  defi_dominance: '3.8676503084614763642371703099489945457095080090859886',
  top_coin_name: 'Lido Staked Ether',
  top_coin_defi_dominance: 30.589442518868,
}

function answerTo(data: object): unknown {
  const warehouse = new Warehouse()
  warehouse.load(globalDefi, { data }, pageOf(globalDefi))
  return warehouse.answer(OPERATION, {}, NOW)
}

test('columns hold what they are named after', () => {
  const { rows } = tablesOf(globalDefi, { data: DATA })
  expect(rows).toEqual({
    global_defi: [
      {
        observed_at: NOW,
        observed_date: '2030-01-01',
        defi_market_cap: 105_273_842_288.22961,
        defi_market_cap_text: '105273842288.229620442228701667',
        eth_market_cap: 1e60,
        eth_market_cap_text: DIGITS_100,
        defi_to_eth_ratio: 25.917713660267736,
        defi_to_eth_ratio_text: RATIO,
        trading_volume_24h: 1e-11,
        trading_volume_24h_text: '0.00000000001',
        defi_dominance: 3.867650308461476,
        defi_dominance_text: DATA.defi_dominance,
        top_coin_name: 'Lido Staked Ether',
        top_coin_defi_dominance: 30.589442518868,
        _absent: null,
        _extra: null,
      },
    ],
  })
})

describe('recordings', () => {
  const recorded = samples('global-decentralized_finance_defi--')
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(3))

  test.each(recorded)('%s comes back as it was', (_, body) => {
    const { page } = tablesOf(globalDefi, body)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    expect(answerTo((body as { data: object }).data)).toEqual(body)
  })
})

test.each([
  ['everything', DATA],
  ['nulls', { ...DATA, defi_market_cap: null, top_coin_name: null, top_coin_defi_dominance: null }],
  ['keys that are left out', { defi_market_cap: '1' }],
  ['numbers where texts were', { ...DATA, defi_market_cap: 2 ** 60, defi_dominance: 3.5 }],
  ['keys that are new', { ...DATA, total_value_locked: { usd: '1' } }],
  ['a name in any script', { ...DATA, top_coin_name: '༼ つ ◕_◕ ༽つ' }],
])('%s comes back', (_, data) => {
  expect(answerTo(data)).toEqual({ data })
})

test('the newest observation answers, and nothing when there is none', () => {
  const warehouse = new Warehouse()
  expect(warehouse.answer(OPERATION, {}, NOW)).toBeNull()
  for (const day of [2, 1]) {
    const context = pageOf(globalDefi, {}, { observedAtMs: Date.UTC(2029, 0, day) })
    warehouse.load(globalDefi, { data: { ...DATA, top_coin_name: `Day ${day}` } }, context)
  }
  expect(warehouse.answer(OPERATION, {}, NOW)).toMatchObject({ data: { top_coin_name: 'Day 2' } })
})

test('new keys are counted', () => {
  const { page } = tablesOf(globalDefi, { data: { ...DATA, tvl: '1' }, status: 1 })
  expect(page.unknownPaths).toEqual({ '$.data.tvl': 1, '$.status': 1 })
})

test.each([
  ['null', null, '$.data is no object'],
  ['an array', [], '$.data is no object'],
  ['HTML', '<html></html>', '$.data is no object'],
  ['an empty object', {}, '$.data is no object'],
  ['a list of data', { data: [DATA] }, '$.data is no object'],
  ['nothing in it', { data: {} }, '$.data.defi_market_cap is missing'],
])('%s is refused whole', (_, body, message) => {
  expect(() => tablesOf(globalDefi, body)).toThrow(message)
})

test.each([
  ['not_a_decimal', '$.data.defi_market_cap', { defi_market_cap: '$105,273' }],
  ['not_a_decimal', '$.data.defi_dominance', { defi_dominance: '3.8 %' }],
  ['not_a_text', '$.data.eth_market_cap', { eth_market_cap: {} }],
  ['not_finite', '$.data.eth_market_cap', { eth_market_cap: Infinity }],
  ['not_a_number', '$.data.top_coin_defi_dominance', { top_coin_defi_dominance: '30.5' }],
])('%s at %s goes to quarantine', (rule, path, change) => {
  const { page, rows } = tablesOf(globalDefi, { data: { ...DATA, ...change } })
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText({ ...DATA, ...change }) }])
  expect(rows).toEqual({ global_defi: [] })
})

test('one request answers a slice', () => {
  const { slice } = pageOf(globalDefi)
  expect(globalDefi.steps(slice, { nowMs: NOW, attempt: 1, maxHistoryDays: null })).toEqual([
    { operation: OPERATION, params: {}, paging: 'single', perPage: 0 },
  ])
})
