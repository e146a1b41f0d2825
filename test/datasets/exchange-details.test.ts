import { describe, expect, test } from 'vitest'
import { exchangeDetails } from '../../datasets/exchange-details.ts'
import { exchangeTickers } from '../../datasets/exchange-tickers.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const ID = 'uniswap v3 [old]'
const SLICE = { entity: ID }

const BODY = {
  name: 'Uniswap 🦄',
  year_established: 2020,
  country: null,
  description: '"x"\r\n',
  url: 'https://example.org/',
  image: 'missing_large.png',
  facebook_url: '',
  reddit_url: '',
  telegram_url: '',
  slack_url: '',
  other_url_1: '',
  other_url_2: '',
  twitter_handle: 'uniswap',
  has_trading_incentive: null,
  centralized: false,
  public_notice: '',
  alert_notice: null,
  trust_score: null,
  trust_score_rank: 12,
  coins: 384,
  pairs: 1281,
  trade_volume_24h_btc: 1e-11,
  tickers: [],
}

function answerTo(body: unknown, params: Record<string, string> = { id: ID }): unknown {
  const warehouse = new Warehouse()
  warehouse.load(exchangeDetails, body, pageOf(exchangeDetails, SLICE))
  return warehouse.answer('exchanges/{id}', params, NOW)
}

test('columns hold what they are named after', () => {
  const { rows, page } = tablesOf(exchangeDetails, BODY, SLICE)
  expect(rows['exchange_details']).toEqual([
    {
      exchange_id: ID,
      observed_at: NOW,
      observed_date: '2030-01-01',
      name: 'Uniswap 🦄',
      year_established: 2020,
      country: null,
      description: '"x"\r\n',
      url: 'https://example.org/',
      image: 'missing_large.png',
      facebook_url: '',
      reddit_url: '',
      telegram_url: '',
      slack_url: '',
      other_url_1: '',
      other_url_2: '',
      twitter_handle: 'uniswap',
      has_trading_incentive: null,
      centralized: false,
      public_notice: '',
      alert_notice: null,
      trust_score: null,
      trust_score_rank: 12,
      coins: 384,
      pairs: 1281,
      trade_volume_24h_btc: 1e-11,
      trade_volume_24h_btc_normalized: null,
      status_updates: null,
      _absent: '["trade_volume_24h_btc_normalized","status_updates"]',
      _extra: null,
    },
  ])
  expect(page.rejected).toEqual([])
  expect(page.unknownPaths).toEqual({})
  expect(answerTo(BODY)).toEqual(BODY)
})

const recorded = samples('exchanges-id-').filter(([name]) => !/tickers|volume_chart/.test(name))

describe('recordings', () => {
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(3))

  test.each(recorded)('%s comes back but for its tickers', (_, body) => {
    const { page } = tablesOf(exchangeDetails, body, SLICE)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    expect(answerTo(body)).toEqual({ ...(body as object), tickers: [] })
  })

  test.each(recorded)('%s comes back whole beside the tickers', (_, body) => {
    const { name, tickers } = body as { name: string; tickers: unknown[] }
    const warehouse = new Warehouse()
    warehouse.load(exchangeDetails, body, pageOf(exchangeDetails, SLICE))
    const listing = { name, tickers: [...tickers, ...tickers] }
    warehouse.load(exchangeTickers, listing, pageOf(exchangeTickers, SLICE))
    const answer = warehouse.answer('exchanges/{id}', { id: ID }, NOW) as { tickers: unknown[] }
    expect(answer).toEqual({ ...(body as object), tickers: listing.tickers.slice(0, 100) })
  })
})

test('announcements come back, whatever form they have', () => {
  for (const updates of [
    [],
    [{ user: 'x', project: { id: 'binance' } }],
    null,
    { a: [Infinity] },
  ]) {
    expect(answerTo({ ...BODY, status_updates: updates })).toEqual({
      ...BODY,
      status_updates: updates,
    })
  }
})

test('keys that are new at the source are kept and counted', () => {
  const body = { ...BODY, id: 'x', mood: { good: 2 ** 60 } }
  expect(tablesOf(exchangeDetails, body, SLICE).page.unknownPaths).toEqual({
    '$.id': 1,
    '$.mood': 1,
  })
  expect(answerTo(body)).toEqual(body)
})

test('the newest observation answers, an unknown id does not', () => {
  const warehouse = new Warehouse()
  for (const [day, name] of [
    [1, 'Old'],
    [3, 'New'],
    [2, 'Between'],
  ] as const) {
    const observedAtMs = Date.UTC(2029, 0, day)
    warehouse.load(
      exchangeDetails,
      { ...BODY, name },
      pageOf(exchangeDetails, SLICE, { observedAtMs }),
    )
  }
  const nameAt = (nowMs: number) =>
    (warehouse.answer('exchanges/{id}', { id: ID }, nowMs) as { name: string } | null)?.name
  expect(nameAt(NOW)).toBe('New')
  expect(nameAt(Date.UTC(2029, 0, 2))).toBe('Between')
  expect(nameAt(Date.UTC(2028, 0, 1))).toBeUndefined()
  expect(warehouse.answer('exchanges/{id}', { id: 'uniswap' }, NOW)).toBeNull()
})

test.each([
  ['null', null, '$ is no object'],
  ['an array', [BODY], '$ is no object'],
  ['HTML', '<html></html>', '$ is no object'],
  ['an empty text', '', '$ is no object'],
  ['an empty object', {}, '$.name is no text'],
  ['an error with status 200', { error: 'coin not found' }, '$.name is no text'],
  ['a name that is null', { ...BODY, name: null }, '$.name is no text'],
])('%s is refused whole', (_, body, message) => {
  expect(() => tablesOf(exchangeDetails, body, SLICE)).toThrow(message)
})

test.each([
  ['not_an_integer', '$.coins', { coins: '384' }],
  ['not_an_integer', '$.year_established', { year_established: 2020.5 }],
  ['not_a_number', '$.trade_volume_24h_btc', { trade_volume_24h_btc: '1.5' }],
  ['not_finite', '$.trade_volume_24h_btc', { trade_volume_24h_btc: Infinity }],
  ['not_a_boolean', '$.centralized', { centralized: 'yes' }],
  ['not_a_text', '$.country', { country: {} }],
])('%s at %s goes to quarantine', (rule, path, change) => {
  const { page, rows } = tablesOf(exchangeDetails, { ...BODY, ...change }, SLICE)
  const { tickers: _, ...own } = { ...BODY, ...change }
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(own) }])
  expect(rows['exchange_details']).toEqual([])
})

test('one request answers a slice', () => {
  const { slice } = pageOf(exchangeDetails, SLICE)
  expect(exchangeDetails.steps(slice, { nowMs: NOW, attempt: 1, maxHistoryDays: null })).toEqual([
    { operation: 'exchanges/{id}', params: { id: ID }, paging: 'single', perPage: 0 },
  ])
})
