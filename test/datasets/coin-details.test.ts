import { describe, expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { coinTickers } from '../../datasets/coin-tickers.ts'
import { pageOf } from './context.ts'
import { DETAIL } from './detail-body.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'coins/{id}'
const NOW = Date.UTC(2030, 0, 1)
const SLICE = { entity: 'bitcoin' }
/** Everything that the service leaves out unless it is asked for. */
const WHOLE = { id: 'bitcoin', include_categories_details: 'true', sparkline: 'true' }

const TICKER = {
  base: 'BTC',
  target: 'USD',
  market: {
    name: 'Binance',
    identifier: 'binance',
    has_trading_incentive: false,
    logo: 'https://example.org/logo.png',
  },
  last: 1.5,
  volume: 2.5,
  cost_to_move_up_usd: 19_320_706.3,
  cost_to_move_down_usd: 1e-11,
  converted_last: { btc: 1, eth: 20.5, usd: 70_000 },
  converted_volume: { btc: 2, eth: 40, usd: 140_000 },
  trust_score: null,
  bid_ask_spread_percentage: 0.010014,
  timestamp: '2024-04-08T04:02:01+00:00',
  last_traded_at: '2024-04-08T04:02:01+00:00',
  last_fetch_at: '2024-04-08T04:03:00+00:00',
  is_anomaly: false,
  is_stale: false,
  trade_url: null,
  token_info_url: null,
  coin_id: 'bitcoin',
  coin_mcap_usd: 1_113_690_000_000,
}

function loaded(body: unknown, observedAtMs = NOW): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(coinDetails, body, pageOf(coinDetails, SLICE, { observedAtMs }))
  return warehouse
}

function answerTo(body: unknown, params: object = {}): unknown {
  return loaded(body).answer(OPERATION, { ...WHOLE, ...params }, NOW)
}

describe('columns hold what they are named after', () => {
  const { rows, page } = tablesOf(coinDetails, DETAIL, SLICE)
  const observed = { coin_id: 'bitcoin', observed_at: NOW, observed_date: '2030-01-01' }
  const whole = { ...observed, _absent: null, _extra: null }

  test('what is said once', () => {
    expect(rows['coin_details']).toEqual([
      {
        ...observed,
        symbol: 'btc',
        name: 'Bitcoin',
        web_slug: 'bitcoin',
        asset_platform_id: null,
        block_time_in_minutes: 10,
        hashing_algorithm: 'SHA-256',
        preview_listing: false,
        public_notice: null,
        additional_notices: '["Beware: 1e-11"]',
        has_supply_breakdown: true,
        country_origin: '',
        genesis_date: '2009-01-03',
        contract_address: null,
        sentiment_votes_up_percentage: 84.07,
        sentiment_votes_down_percentage: 15.93,
        ico_data: null,
        watchlist_portfolio_users: 1_541_900,
        market_cap_rank: 1,
        market_cap_rank_with_rehypothecated: 2,
        coingecko_rank: null,
        coingecko_score: null,
        developer_score: null,
        community_score: null,
        liquidity_score: null,
        public_interest_score: null,
        status_updates: '[]',
        last_updated_at: Date.UTC(2024, 3, 7, 15, 24, 51, 21),
        links_whitepaper: 'https://bitcoin.org/bitcoin.pdf',
        links_snapshot_url: null,
        links_twitter_screen_name: 'bitcoin',
        links_facebook_username: '',
        links_bitcointalk_thread_identifier: 428_589,
        links_telegram_channel_identifier: '',
        links_subreddit_url: null,
        image_thumb: 't.png',
        image_small: 's.png',
        image_large: 'missing_large.png',
        total_value_locked_btc: 5.5,
        total_value_locked_usd: 384_120.25,
        mcap_to_tvl_ratio: 3.25,
        fdv_to_tvl_ratio: null,
        roi_times: 104.8,
        roi_currency: 'btc',
        roi_percentage: 10_481.6,
        market_cap_fdv_ratio: null,
        market_data_market_cap_rank: 1,
        market_data_market_cap_rank_with_rehypothecated: null,
        outstanding_token_value_usd: null,
        price_change_24h_usd: 1619,
        price_change_percentage_24h_usd: 2.37311,
        price_change_percentage_7d_usd: null,
        price_change_percentage_14d_usd: null,
        price_change_percentage_30d_usd: null,
        price_change_percentage_60d_usd: null,
        price_change_percentage_200d_usd: null,
        price_change_percentage_1y_usd: null,
        market_cap_change_24h_usd: null,
        market_cap_change_percentage_24h_usd: null,
        total_supply: 21_000_000,
        max_supply: 21_000_000,
        max_supply_infinite: false,
        circulating_supply: 1e18,
        outstanding_supply: null,
        market_data_last_updated_at: Date.UTC(2024, 3, 7, 15, 24, 51, 21),
        sparkline_7d: '{"price":[1.5,1e-11]}',
        community_facebook_likes: null,
        community_twitter_followers: null,
        community_reddit_average_posts_48h: 7.333,
        community_reddit_average_comments_48h: 384.667,
        community_reddit_subscribers: 6_127_543,
        community_reddit_accounts_active_48h: 14_074,
        community_telegram_channel_user_count: null,
        developer_forks: 36_433,
        developer_stars: 76_697,
        developer_subscribers: 3967,
        developer_total_issues: 7743,
        developer_closed_issues: 7379,
        developer_pull_requests_merged: 11_204,
        developer_pull_request_contributors: 829,
        developer_commit_count_4_weeks: 108,
        developer_last_4_weeks_commit_activity_series: '[0,3,2]',
        developer_code_4_weeks_additions: 1264,
        developer_code_4_weeks_deletions: -1314,
        public_interest_alexa_rank: 74_251,
        public_interest_bing_matches: null,
        _absent: expect.stringContaining('"market_data.outstanding_supply"') as string,
        _extra: '{"community_data":{"reddit_accounts_active_48h":"14074.0"}}',
      },
    ])
    expect(page).toMatchObject({ rejected: [], itemCount: 1 })
    expect(page.unknownPaths).toEqual({})
  })

  test('what is said by currency', () => {
    const markets = Object.fromEntries(
      rows['coin_detail_markets']!.map((row) => [row['vs_currency'], row]),
    )
    expect(Object.keys(markets)).toEqual(['usd', 'vnd', 'btc'])
    expect(markets['usd']).toMatchObject({
      ...observed,
      current_price: 69_840,
      market_cap: 1_373_296_629_498,
      fully_diluted_valuation: null,
      total_volume: null,
      ath: 73_738,
      ath_change_percentage: -5.33399,
      ath_at: Date.UTC(2024, 2, 14, 7, 10, 36, 635),
      atl: 1e-11,
      atl_change_percentage: 8.721952937706929e36,
      atl_at: Date.UTC(2013, 6, 6),
      high_24h: 69_805,
      low_24h: 67_985,
      price_change_24h_in_currency: 1618.95,
      price_change_percentage_60d_in_currency: 62.54292,
      price_change_percentage_1h_in_currency: null,
      _extra: null,
    })
    expect(markets['vnd']).toMatchObject({
      current_price: 1_744_604_984.5,
      market_cap: 34_291_528_259_212_664,
      ath_at: null,
    })
    expect(markets['btc']!['price_change_24h_in_currency']).toBe(-0)
  })

  test('what is said by platform, category, link and language', () => {
    const absentUrl = '["detail_platforms.geckoterminal_url"]'
    expect(rows['coin_detail_platforms']).toEqual([
      {
        ...whole,
        platform_id: 'ethereum',
        contract_address: '0xabc',
        decimal_place: 18,
        detail_contract_address: '0xabc',
        geckoterminal_url: 'https://g/x',
      },
      {
        ...whole,
        platform_id: 'terra-2',
        contract_address: 'ibc/27394F',
        decimal_place: null,
        detail_contract_address: null,
        geckoterminal_url: null,
        _absent: '["detail_platforms"]',
      },
      {
        ...whole,
        platform_id: 'solana',
        contract_address: null,
        decimal_place: null,
        detail_contract_address: 'EPjF',
        geckoterminal_url: null,
        _absent: `["platforms",${absentUrl.slice(1)}`,
      },
    ])
    const layer1 = 'Layer 1 (L1)'
    expect(rows['coin_detail_categories']).toEqual([
      {
        ...whole,
        ordinal: 0,
        category_name: layer1,
        category_id: 'layer-1',
        category_id_name: layer1,
      },
      {
        ...whole,
        ordinal: 1,
        category_name: 'Money',
        category_id: null,
        category_id_name: null,
        _absent: '["categories_details"]',
      },
    ])
    expect(
      rows['coin_detail_links']!.map(({ kind, ordinal, url }) => [kind, ordinal, url]),
    ).toEqual([
      ['homepage', 0, 'http://www.bitcoin.org'],
      ['homepage', 1, ''],
      ['homepage', 2, null],
      ['official_forum_url', 0, 'https://bitcointalk.org/'],
      ['chat_url', 0, ''],
      ['announcement_url', 0, ''],
      ['github', 0, 'https://github.com/bitcoin/bitcoin'],
    ])
    expect(rows['coin_detail_texts']).toEqual([
      { ...whole, language: 'en', localized_name: 'Bitcoin', description: DETAIL.description.en },
      {
        ...whole,
        language: 'zh-tw',
        localized_name: '比特幣',
        description: null,
        _absent: '["description"]',
      },
      {
        ...whole,
        language: 'de',
        localized_name: null,
        description: '',
        _absent: '["localization"]',
      },
    ])
  })
})

describe('recordings', () => {
  const files = samples('coins-id--')
  test.skipIf(files.length === 0)('are all there', () => expect(files).toHaveLength(2))
  test.each(files)('%s comes back but for its tickers, and nothing is unknown', (_, body) => {
    const { tickers, ...rest } = body as { tickers: unknown }
    expect(tickers).toHaveLength(1)
    expect(answerTo(body)).toEqual(rest)
    const { page } = tablesOf(coinDetails, body, SLICE)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
  })
})

test('one request without tickers, and with the ids of categories', () => {
  const slice = { ...pageOf(coinDetails, { entity: '1move token' }).slice }
  expect(coinDetails.steps(slice, { nowMs: NOW, attempt: 1, maxHistoryDays: null })).toEqual([
    {
      operation: OPERATION,
      params: {
        id: '1move token',
        localization: 'true',
        tickers: 'false',
        include_categories_details: 'true',
      },
      paging: 'single',
      perPage: 0,
    },
  ])
})

describe('the service', () => {
  const { categories_details: _details, ...plain } = DETAIL
  const { market_data: market } = DETAIL
  const { sparkline_7d: _sparkline, ...shortMarket } = market

  test.each<[string, Record<string, string>, object]>([
    ['nothing', {}, { ...plain, market_data: shortMarket }],
    ['sparklines', { sparkline: 'true' }, plain],
    [
      'ids of categories',
      { include_categories_details: 'true' },
      { ...DETAIL, market_data: shortMarket },
    ],
  ])('asked for %s beside the defaults', (_, params, expected) => {
    expect(loaded(DETAIL).answer(OPERATION, { id: 'bitcoin', ...params }, NOW)).toEqual(expected)
  })

  test.each(['localization', 'market_data', 'community_data', 'developer_data'] as const)(
    'leaves out %s where it is not wanted',
    (param) => {
      const { [param]: _left, ...rest } = DETAIL
      expect(answerTo(DETAIL, { [param]: 'false' })).toEqual(rest)
    },
  )

  describe('tickers', () => {
    const warehouse = loaded(DETAIL)
    const tickers = Array.from({ length: 101 }, (_, place) => ({ ...TICKER, last: place }))
    const load = (listed: object[], observedAtMs: number) =>
      warehouse.load(
        coinTickers,
        { name: 'Bitcoin', tickers: listed },
        pageOf(coinTickers, SLICE, { observedAtMs }),
      )
    load([{ ...TICKER, last: 5 }], NOW - 1)
    load(tickers, NOW)
    const keyOf = (params: object, nowMs = NOW) =>
      (warehouse.answer(OPERATION, { ...WHOLE, ...params }, nowMs) as { tickers?: unknown }).tickers

    test('are the first 100 of the newest listing, without depth and logo', () => {
      const { cost_to_move_up_usd: _up, cost_to_move_down_usd: _down, ...plain } = TICKER
      const market = { name: 'Binance', identifier: 'binance', has_trading_incentive: false }
      const expected = tickers.slice(0, 100).map(({ last }) => ({ ...plain, market, last }))
      expect(keyOf({})).toEqual(expected)
      expect(keyOf({ tickers: 'true' })).toEqual(expected)
    })

    test('are left out where they are not wanted or not known', () => {
      expect(keyOf({ tickers: 'false' })).toBeUndefined()
      expect(loaded(DETAIL).answer(OPERATION, WHOLE, NOW)).not.toHaveProperty('tickers')
    })
  })

  test('gives the newest observation up to now, with no row of an older one', () => {
    const bare = {
      id: 'bitcoin',
      name: 'B',
      categories: [],
      market_data: { ath: {} },
      platforms: {},
    }
    const warehouse = loaded(DETAIL, NOW - 1000)
    warehouse.load(coinDetails, bare, pageOf(coinDetails, SLICE, { observedAtMs: NOW }))
    expect(warehouse.answer(OPERATION, WHOLE, NOW)).toEqual(bare)
    expect(warehouse.answer(OPERATION, WHOLE, NOW - 1)).toEqual(DETAIL)
    expect(warehouse.answer(OPERATION, WHOLE, NOW - 1001)).toBeNull()
  })

  test('does not know a coin that was never exported', () => {
    expect(loaded(DETAIL).answer(OPERATION, { id: 'Bitcoin' }, NOW)).toBeNull()
  })
})
