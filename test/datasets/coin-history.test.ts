import { describe, expect, test } from 'vitest'
import { coinHistory } from '../../datasets/coin-history.ts'
import { coins } from '../../datasets/coins.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'coins/{id}/history'
const NOW = Date.UTC(2030, 0, 1)
const DAY_MS = 86_400_000
const DAY = Date.UTC(2017, 11, 30)
const PARAMS = { id: 'bitcoin', date: '2017-12-30' }

/** Dated parts and all, as of an old day. */
const BODY = {
  id: 'bitcoin',
  symbol: 'btc',
  name: 'Bitcoin',
  localization: { en: 'Bitcoin', 'zh-tw': '比特幣' },
  image: { thumb: 't.png', small: 's.png' },
  market_data: {
    current_price: { usd: 13_620.3618741461, btc: 1, vnd: 309_182_214.5 },
    market_cap: { usd: 228_445_816_988.881, vnd: 10_604_984_537_181_484 },
    total_volume: { usd: null, idr: 1e-11 },
  },
  community_data: {
    facebook_likes: null,
    twitter_followers: 603_664,
    reddit_average_posts_48h: 2.042,
    reddit_average_comments_48h: 445.896,
    reddit_subscribers: 612_412,
    reddit_accounts_active_48h: '14074.0',
  },
  developer_data: {
    forks: 13_660,
    stars: 23_665,
    subscribers: 2513,
    total_issues: 3591,
    closed_issues: 3022,
    pull_requests_merged: 5038,
    pull_request_contributors: 450,
    code_additions_deletions_4_weeks: { additions: 12, deletions: null },
    commit_count_4_weeks: 147,
  },
  public_interest_stats: { alexa_rank: 2912, bing_matches: null },
}

function slice(fromMs = DAY) {
  return { entity: 'bitcoin', fromMs, toMs: fromMs + DAY_MS }
}

function loaded(body: unknown, fromMs = DAY): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(coinHistory, body, pageOf(coinHistory, slice(fromMs)))
  return warehouse
}

function answerTo(body: unknown, params: Record<string, string> = PARAMS): unknown {
  return loaded(body).answer(OPERATION, params, NOW)
}

test('columns hold what they are named after, and the day is that of the slice', () => {
  const { rows, page } = tablesOf(coinHistory, BODY, slice())
  const day = { coin_id: 'bitcoin', date: '2017-12-30', ts: DAY }
  const price = { ...day, _extra: null }
  expect(rows['coin_history']).toEqual([
    {
      ...price,
      vs_currency: 'usd',
      price: 13_620.3618741461,
      market_cap: 228_445_816_988.881,
      total_volume: null,
      _absent: null,
    },
    {
      ...price,
      vs_currency: 'btc',
      price: 1,
      market_cap: null,
      total_volume: null,
      _absent: '["market_cap","total_volume"]',
    },
    {
      ...price,
      vs_currency: 'vnd',
      price: 309_182_214.5,
      market_cap: 10_604_984_537_181_484,
      total_volume: null,
      _absent: '["total_volume"]',
    },
    {
      ...price,
      vs_currency: 'idr',
      price: null,
      market_cap: null,
      total_volume: 1e-11,
      _absent: '["current_price","market_cap"]',
    },
  ])
  expect(rows['coin_history_stats']).toEqual([
    {
      ...day,
      symbol: 'btc',
      name: 'Bitcoin',
      localization: '{"en":"Bitcoin","zh-tw":"比特幣"}',
      image_thumb: 't.png',
      image_small: 's.png',
      image_large: null,
      community_facebook_likes: null,
      community_twitter_followers: 603_664,
      community_reddit_average_posts_48h: 2.042,
      community_reddit_average_comments_48h: 445.896,
      community_reddit_subscribers: 612_412,
      community_reddit_accounts_active_48h: 14_074,
      community_telegram_channel_user_count: null,
      developer_forks: 13_660,
      developer_stars: 23_665,
      developer_subscribers: 2513,
      developer_total_issues: 3591,
      developer_closed_issues: 3022,
      developer_pull_requests_merged: 5038,
      developer_pull_request_contributors: 450,
      developer_commit_count_4_weeks: 147,
      developer_last_4_weeks_commit_activity_series: null,
      developer_code_4_weeks_additions: 12,
      developer_code_4_weeks_deletions: null,
      public_interest_alexa_rank: 2912,
      public_interest_bing_matches: null,
      _absent:
        '["image.large","community_data.telegram_channel_user_count","developer_data.last_4_weeks_commit_activity_series"]',
      _extra: '{"community_data":{"reddit_accounts_active_48h":"14074.0"}}',
    },
  ])
  expect(page).toMatchObject({ rejected: [], itemCount: 1 })
  expect(page.unknownPaths).toEqual({})
})

describe('recordings', () => {
  const files = samples('coins-id-history')
  test.skipIf(files.length === 0)('are all there', () => expect(files).toHaveLength(3))
  test.each(files)('%s comes back, and nothing of it is unknown', (_, body) => {
    expect(answerTo(body)).toEqual(body)
    const { page } = tablesOf(coinHistory, body, slice())
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
  })
})

const { community_data: community, market_data: market } = BODY
test.each<[string, object]>([
  ['followers as a number', { community_data: { reddit_accounts_active_48h: 3498 } }],
  ['followers as null', { community_data: { reddit_accounts_active_48h: null } }],
  ['followers as a short text', { community_data: { reddit_accounts_active_48h: '99.0' } }],
  ['no market_data, but followers', { market_data: undefined }],
  ['null for market_data, but followers', { market_data: null }],
  ['empty maps', { market_data: { current_price: {}, market_cap: {}, total_volume: {} } }],
  ['no maps', { market_data: {} }],
  ['null for a map', { market_data: { ...market, market_cap: null } }],
  ['null for all else', { community_data: null, developer_data: null, image: null, name: null }],
  ['names left out', { localization: undefined }],
  ['null for names', { localization: null }],
  ['a new map', { market_data: { ...market, mood: { usd: -0, eur: Infinity } } }],
  ['new keys', { mood: 1, community_data: { ...community, mood: [] } }],
  ['half characters', { name: '\uD800', localization: { en: '\uDC00' } }],
  [
    '-0 and beyond 2^53',
    { market_data: { current_price: { usd: -0 }, market_cap: { usd: 2e53 } } },
  ],
])('%s: comes back as it was', (_, change) => {
  const body = JSON.parse(jsonText(defined({ ...BODY, ...change }))) as object
  expect(answerTo(body)).toEqual(body)
  expect(tablesOf(coinHistory, body, slice()).page.rejected).toEqual([])
})

function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

describe('a day without data', () => {
  const { id, symbol, name, localization, image } = BODY
  const bare = { id, symbol, name, localization, image }
  const blank = {
    ...bare,
    market_data: null,
    community_data: { facebook_likes: null, reddit_subscribers: null },
    developer_data: { code_additions_deletions_4_weeks: { additions: null }, forks: null },
    public_interest_stats: null,
  }

  test.each([
    ['nothing but the coin', bare],
    ['nothing but nulls of the day', blank],
  ])('with %s has no row', (_, body) => {
    const { page, rows } = tablesOf(coinHistory, body, slice())
    expect(rows).toEqual({ coin_history: [], coin_history_stats: [] })
    expect(page).toMatchObject({ rejected: [], itemCount: 0 })
    expect(page.unknownPaths).toEqual({})
  })

  test('still tells of keys that are new and of values of the wrong form', () => {
    const { page } = tablesOf(coinHistory, { ...bare, mood: 1, name: 5 }, slice())
    expect(page.unknownPaths).toEqual({ '$.mood': 1 })
    expect(page.rejected).toEqual([{ rule: 'not_a_text', path: '$.name', raw: '5' }])
  })

  test('is answered with the coin as its newest day has it', () => {
    const warehouse = loaded({ ...BODY, name: 'Old' })
    warehouse.load(coinHistory, BODY, pageOf(coinHistory, slice(DAY + DAY_MS)))
    const answer = (date: string) => warehouse.answer(OPERATION, { id: 'bitcoin', date }, NOW)
    expect(answer('2009-01-01')).toEqual(bare)
    expect(answer('2031-01-01')).toEqual(bare)
    expect(answer('2017-12-30')).toMatchObject({ name: 'Old' })
  })

  test('is answered from the list of coins where nothing else is known', () => {
    const warehouse = new Warehouse()
    const list = [{ id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', platforms: {} }]
    warehouse.load(coins, list, pageOf(coins))
    expect(warehouse.answer(OPERATION, PARAMS, NOW)).toEqual({ id, symbol, name })
    expect(warehouse.answer(OPERATION, { ...PARAMS, id: 'Bitcoin' }, NOW)).toBeNull()
  })
})

test.each<[string, string, object, unknown, object]>([
  ['not_an_object', '$.market_data', { market_data: [] }, [], {}],
  [
    'not_a_number',
    '$.market_data.current_price.usd',
    { market_data: { current_price: { usd: '1', eur: 2 } } },
    '1',
    { market_data: { current_price: { eur: 2 } } },
  ],
  [
    'not_finite',
    '$.market_data.market_cap.usd',
    { market_data: { market_cap: { usd: Infinity }, current_price: { usd: 1 } } },
    Infinity,
    { market_data: { market_cap: {}, current_price: { usd: 1 } } },
  ],
  [
    'not_an_object',
    '$.market_data.market_cap',
    { market_data: { market_cap: [1] } },
    [1],
    { market_data: {} },
  ],
  [
    'not_an_integer',
    '$.developer_data.forks',
    { developer_data: { forks: 1.5 } },
    1.5,
    { developer_data: {} },
  ],
])('%s at %s goes to quarantine alone', (rule, path, change, raw, left) => {
  const body = JSON.parse(jsonText({ ...BODY, ...change })) as Record<string, unknown>
  expect(tablesOf(coinHistory, body, slice()).page.rejected).toEqual([
    { rule, path, raw: jsonText(raw) },
  ])
  const gone = Object.keys(change).filter((key) => !Object.hasOwn(left, key))
  const rest = Object.fromEntries(Object.entries(body).filter(([key]) => !gone.includes(key)))
  expect(answerTo(body)).toEqual({ ...rest, ...left })
})

test.each([[null], [[]], [''], ['<html></html>'], [{}], [{ id: null }], [{ error: 'x' }]])(
  'the body %j is refused whole',
  (body) => {
    expect(() => tablesOf(coinHistory, body, slice())).toThrow(
      expect.objectContaining({ code: 'SOURCE_DATA' }),
    )
  },
)

test.each([
  [Date.UTC(2017, 11, 30), '2017-12-30'],
  [Date.UTC(2024, 1, 29), '2024-02-29'],
  [0, '1970-01-01'],
])('asks for the day that starts at %d as %s', (fromMs, date) => {
  const { slice: whole } = pageOf(coinHistory, { ...slice(fromMs), entity: '1move token' })
  expect(coinHistory.steps(whole, { nowMs: NOW, attempt: 1, maxHistoryDays: 365 })).toEqual([
    {
      operation: OPERATION,
      params: { id: '1move token', date, localization: 'true' },
      paging: 'single',
      perPage: 0,
    },
  ])
})

describe('the service', () => {
  const { localization: _names, ...withoutNames } = BODY

  test('gives exactly the day, with names unless they are not wanted', () => {
    const warehouse = loaded({ ...BODY, symbol: 'before' }, DAY - DAY_MS)
    warehouse.load(coinHistory, BODY, pageOf(coinHistory, slice()))
    const after = { ...BODY, symbol: 'after' }
    warehouse.load(coinHistory, after, pageOf(coinHistory, slice(DAY + DAY_MS)))
    expect(warehouse.answer(OPERATION, PARAMS, NOW)).toEqual(BODY)
    const params = { ...PARAMS, localization: 'false' }
    expect(warehouse.answer(OPERATION, params, NOW)).toEqual(withoutNames)
  })

  test('knows no day that has not begun', () => {
    const answer = (nowMs: number) => loaded(BODY).answer(OPERATION, PARAMS, nowMs)
    expect(answer(DAY)).toEqual(BODY)
    expect(answer(DAY - 1)).toBeNull()
  })

  test.each(['', '30-12-2017', '2017-12-32'])('finds no day for %j', (date) => {
    expect(answerTo(BODY, { id: 'bitcoin', date })).not.toHaveProperty('market_data')
  })
})
