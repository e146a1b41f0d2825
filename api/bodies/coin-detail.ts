import { z } from 'zod'
import { PLATFORMS, ROI } from './coin-listings.ts'
import {
  BY_CURRENCY,
  BY_LANGUAGE,
  FLAG,
  IMAGE,
  INSTANT,
  INSTANT_BY_CURRENCY,
  NAMED,
  NUMBER,
  NUMBER_OR_TEXT,
  TEXT,
  TEXTS,
  WHOLE,
} from './fields.ts'
import { TICKER } from './tickers.ts'

const LINKS = z.looseObject({
  homepage: TEXTS.optional(),
  blockchain_site: TEXTS.optional(),
  official_forum_url: TEXTS.optional(),
  chat_url: TEXTS.optional(),
  announcement_url: TEXTS.optional(),
  whitepaper: z.union([z.string(), TEXTS]).nullable().optional(),
  snapshot_url: TEXT.optional(),
  twitter_screen_name: TEXT.optional(),
  facebook_username: TEXT.optional(),
  telegram_channel_identifier: TEXT.optional(),
  subreddit_url: TEXT.optional(),
  bitcointalk_thread_identifier: WHOLE.optional(),
  repos_url: z.looseObject({ github: TEXTS.optional(), bitbucket: TEXTS.optional() }).optional(),
})

const PERCENTAGE_FRAMES = ['1h', '24h', '7d', '14d', '30d', '60d', '200d', '1y'] as const
const BY_CURRENCY_FIELDS = [
  'current_price',
  'ath',
  'ath_change_percentage',
  'atl',
  'atl_change_percentage',
  'market_cap',
  'fully_diluted_valuation',
  'total_volume',
  'high_24h',
  'low_24h',
  'price_change_24h_in_currency',
  'market_cap_change_24h_in_currency',
  'market_cap_change_percentage_24h_in_currency',
  ...PERCENTAGE_FRAMES.map((frame) => `price_change_percentage_${frame}_in_currency`),
]
const SCALAR_FIELDS = [
  'price_change_24h',
  'market_cap_change_24h',
  'market_cap_change_percentage_24h',
  'mcap_to_tvl_ratio',
  'fdv_to_tvl_ratio',
  'market_cap_fdv_ratio',
  'outstanding_token_value_usd',
  'total_supply',
  'max_supply',
  'circulating_supply',
  'outstanding_supply',
  ...PERCENTAGE_FRAMES.filter((frame) => frame !== '1h').map(
    (frame) => `price_change_percentage_${frame}`,
  ),
]

function fields<T extends z.ZodType>(
  names: readonly string[],
  schema: T,
): Record<string, z.ZodOptional<T>> {
  return Object.fromEntries(names.map((name) => [name, schema.optional()]))
}

const SPARKLINE = z.union([z.array(NUMBER), z.looseObject({ price: z.array(NUMBER) })])

/** Everything about price and supply: maps by currency beside figures in usd. */
const MARKET_DATA = z.looseObject({
  ...fields(BY_CURRENCY_FIELDS, BY_CURRENCY),
  ...fields(SCALAR_FIELDS, NUMBER),
  ath_date: INSTANT_BY_CURRENCY.optional(),
  atl_date: INSTANT_BY_CURRENCY.optional(),
  total_value_locked: z.looseObject({ btc: NUMBER, usd: NUMBER }).nullable().optional(),
  roi: ROI.optional(),
  market_cap_rank: WHOLE.optional(),
  market_cap_rank_with_rehypothecated: WHOLE.optional(),
  max_supply_infinite: FLAG.optional(),
  sparkline_7d: SPARKLINE.nullable().optional(),
  last_updated: INSTANT.optional(),
})

const COMMUNITY_DATA = z
  .looseObject(
    fields(
      [
        'facebook_likes',
        'twitter_followers',
        'reddit_average_posts_48h',
        'reddit_average_comments_48h',
        'reddit_subscribers',
        'telegram_channel_user_count',
      ],
      NUMBER,
    ),
  )
  .extend({ reddit_accounts_active_48h: NUMBER_OR_TEXT.optional() })

const DEVELOPER_DATA = z.looseObject({
  ...fields(
    [
      'forks',
      'stars',
      'subscribers',
      'total_issues',
      'closed_issues',
      'pull_requests_merged',
      'pull_request_contributors',
      'commit_count_4_weeks',
    ],
    NUMBER,
  ),
  code_additions_deletions_4_weeks: z
    .looseObject({ additions: NUMBER, deletions: NUMBER })
    .nullable()
    .optional(),
  last_4_weeks_commit_activity_series: z.array(NUMBER).optional(),
})

const INTEREST = z.looseObject({
  alexa_rank: NUMBER.optional(),
  bing_matches: NUMBER.optional(),
})

const DETAIL_PLATFORM = z
  .looseObject({
    decimal_place: WHOLE.optional(),
    contract_address: TEXT.optional(),
    geckoterminal_url: TEXT.optional(),
  })
  .nullable()

/** One coin, by its id or by a contract. */
export const COIN_BODY = z
  .looseObject({
    id: z.string(),
    symbol: TEXT,
    name: TEXT,
    web_slug: TEXT.optional(),
    asset_platform_id: TEXT.optional(),
    platforms: PLATFORMS.optional(),
    detail_platforms: z.record(z.string(), DETAIL_PLATFORM).optional(),
    block_time_in_minutes: NUMBER.optional(),
    hashing_algorithm: TEXT.optional(),
    categories: TEXTS.optional(),
    categories_details: z.array(NAMED).optional(),
    preview_listing: FLAG.optional(),
    public_notice: TEXT.optional(),
    additional_notices: TEXTS.optional(),
    has_supply_breakdown: FLAG.optional(),
    localization: BY_LANGUAGE.optional(),
    description: BY_LANGUAGE.optional(),
    links: LINKS.optional(),
    image: IMAGE.optional(),
    country_origin: TEXT.optional(),
    genesis_date: TEXT.optional().describe('Calendar day, YYYY-MM-DD'),
    contract_address: TEXT.optional(),
    sentiment_votes_up_percentage: NUMBER.optional(),
    sentiment_votes_down_percentage: NUMBER.optional(),
    watchlist_portfolio_users: NUMBER.optional(),
    market_cap_rank: WHOLE.optional(),
    market_cap_rank_with_rehypothecated: WHOLE.optional(),
    market_data: MARKET_DATA.optional(),
    community_data: COMMUNITY_DATA.optional(),
    developer_data: DEVELOPER_DATA.optional(),
    ico_data: z.looseObject({}).nullable().optional(),
    public_interest_stats: INTEREST.optional(),
    status_updates: z.array(z.unknown()).optional(),
    last_updated: INSTANT.optional(),
    tickers: z.array(TICKER).optional(),
  })
  .describe('Everything known of one coin')

/** One coin on a day: at 00:00 UTC of it, without market data where it was not listed yet. */
export const HISTORY_BODY = z.looseObject({
  id: z.string(),
  symbol: TEXT,
  name: TEXT,
  localization: BY_LANGUAGE.optional(),
  image: IMAGE.optional(),
  market_data: z
    .looseObject({
      current_price: BY_CURRENCY,
      market_cap: BY_CURRENCY,
      total_volume: BY_CURRENCY,
    })
    .optional()
    .describe('Absent before the listing and for days that have not ended'),
  community_data: COMMUNITY_DATA.optional(),
  developer_data: DEVELOPER_DATA.optional(),
  public_interest_stats: INTEREST.optional(),
})
