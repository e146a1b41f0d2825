import { describe, expect, test } from 'vitest'
import { coinHistory } from '../../datasets/coin-history.ts'
import { coins } from '../../datasets/coins.ts'
import { pageOf } from './context.ts'
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
