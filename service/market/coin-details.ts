import { DAY_MS } from '../../config/values/duration.ts'
import { categoriesOf } from './categories.ts'
import { changeOver } from './coin-listings.ts'
import type { MarketCoin } from './coin-universe.ts'
import { USD, type Currency } from './currency-list.ts'
import { coinImage, type Body, type MarketEntry, type Market } from './market-entries.ts'
import { streamSeed, uniform, wholeBelow } from './random.ts'
import { knotAt } from './time-grid.ts'

const OF_PRICES =
  'current_price ath ath_change_percentage ath_date atl atl_change_percentage atl_date market_cap'
const OF_DAYS = 'fully_diluted_valuation total_volume high_24h low_24h'
const FRAMES = ['1h', '24h', '7d', '14d', '30d', '60d', '200d', '1y']
const CHANGES = [
  'price_change_24h',
  ...FRAMES.map((frame) => `price_change_percentage_${frame}`),
  'market_cap_change_24h',
  'market_cap_change_percentage_24h',
]

/** Fields of market_data that are maps by currency. */
const BY_CURRENCY: readonly string[] = [
  ...`${OF_PRICES} ${OF_DAYS}`.split(' '),
  ...CHANGES.map((key) => `${key}_in_currency`),
]

/** Fields of market_data in USD: all changes except that of an hour. */
const IN_USD: readonly string[] = CHANGES.filter((key) => !key.endsWith('_1h'))

/** A figure of a market entry. Some keys there have `_in_currency`, others do not. */
function figureOf(entry: MarketEntry, key: string): unknown {
  const plain = key.replace(/_in_currency$/, '')
  return entry[`${plain}_in_currency`] ?? entry[plain]
}

const COMMIT_DAYS = 28
/** The time frame that only details have. */
const HOURS_OF_60D = 60 * 24

/** The body of coins/{id} without tickers. Its figures are those of coins/markets; null figures are left out. */
export function coinDetailsBody(market: Market, coin: MarketCoin, hasCategoryIds: boolean): Body {
  const categories = categoriesOf(coin)
  const random = streamSeed(market.spec.seed, 'details', coin.index)
  const entry = entryWith60d(market, coin, USD)
  const votesUp = Math.round(uniform(random, 0) * 10_000) / 100
  const platforms = Object.entries(coin.platforms)
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    web_slug: coin.id,
    asset_platform_id: platforms[0]?.[0] ?? null,
    // A coin with a chain of its own has one platform without name and address.
    platforms: platforms.length === 0 ? { '': '' } : coin.platforms,
    detail_platforms: Object.fromEntries(
      (platforms.length === 0 ? [['', '']] : platforms).map(([id, address]) => [
        id,
        { decimal_place: address === '' ? null : 18, contract_address: address },
      ]),
    ),
    block_time_in_minutes: coin.id === 'bitcoin' ? 10 : 0,
    hashing_algorithm: coin.id === 'bitcoin' ? 'SHA-256' : null,
    categories: categories.map(({ name }) => name),
    ...(hasCategoryIds
      ? { categories_details: categories.map(({ id, name }) => ({ id, name })) }
      : {}),
    preview_listing: false,
    public_notice: null,
    additional_notices: [],
    has_supply_breakdown: false,
    localization: { en: coin.name, de: coin.name, ja: `${coin.name}（模擬）` },
    description: { en: `${coin.name}, a coin of the simulated market.\r\n`, de: '' },
    links: linksOf(coin),
    image: {
      thumb: coinImage(coin, 'thumb'),
      small: coinImage(coin, 'small'),
      large: coinImage(coin, 'large'),
    },
    country_origin: '',
    genesis_date: coin.index % 4 === 0 ? isoDate(coin.listedDay) : null,
    sentiment_votes_up_percentage: votesUp,
    sentiment_votes_down_percentage: Math.round((100 - votesUp) * 100) / 100,
    watchlist_portfolio_users: wholeBelow(random, 1, 2_000_000),
    market_cap_rank: entry.market_cap_rank,
    // The market has no wrapped or staked tokens.
    market_cap_rank_with_rehypothecated: entry.market_cap_rank,
    market_data: marketData(market, coin, entry),
    community_data: {
      facebook_likes: null,
      reddit_average_posts_48h: Math.round(uniform(random, 2) * 1e4) / 1e3,
      reddit_average_comments_48h: Math.round(uniform(random, 3) * 1e6) / 1e3,
      reddit_subscribers: wholeBelow(random, 4, 1e6),
      reddit_accounts_active_48h: wholeBelow(random, 5, 5_000),
      telegram_channel_user_count: null,
    },
    developer_data: {
      forks: wholeBelow(random, 6, 4e4),
      stars: wholeBelow(random, 7, 8e4),
      subscribers: wholeBelow(random, 8, 4e3),
      total_issues: wholeBelow(random, 9, 8e3),
      closed_issues: wholeBelow(random, 10, 7e3),
      pull_requests_merged: wholeBelow(random, 11, 1e4),
      pull_request_contributors: wholeBelow(random, 12, 900),
      code_additions_deletions_4_weeks: {
        additions: wholeBelow(random, 13, 2_000),
        deletions: -wholeBelow(random, 14, 2_000) + 0,
      },
      commit_count_4_weeks: wholeBelow(random, 15, 200),
      last_4_weeks_commit_activity_series: Array.from({ length: COMMIT_DAYS }, (_, day) =>
        wholeBelow(random, 100 + day, 8),
      ),
    },
    status_updates: [],
    last_updated: entry.last_updated,
  }
}

function linksOf(coin: MarketCoin): Body {
  const site = `https://coin-${coin.index}.market.example`
  return {
    // The source pads its lists with empty texts and nulls.
    homepage: [`${site}/`, '', ''],
    whitepaper: coin.index % 2 === 0 ? `${site}/paper.pdf` : '',
    blockchain_site: [`${site}/blocks`, null, ''],
    official_forum_url: ['', '', ''],
    chat_url: [''],
    announcement_url: ['', ''],
    snapshot_url: null,
    twitter_screen_name: `coin${coin.index}`,
    facebook_username: '',
    bitcointalk_thread_identifier: coin.index % 3 === 0 ? 100_000 + coin.index : null,
    telegram_channel_identifier: '',
    subreddit_url: null,
    repos_url: { github: [`https://code.market.example/coin-${coin.index}`], bitbucket: [] },
  }
}

function entryWith60d(market: Market, coin: MarketCoin, vs: Currency): MarketEntry {
  const { spec, prices, entriesIn } = market
  const priceAt = (knot: number): number => prices.price(coin, vs, knot)
  const change = changeOver(priceAt, coin, knotAt(spec.nowMs), HOURS_OF_60D)
  return { ...entriesIn(vs).get(coin.id)!, price_change_percentage_60d_in_currency: change }
}

function marketData(market: Market, coin: MarketCoin, inUsd: MarketEntry): Body {
  const entries = market.currencies.map((vs) => [vs.code, entryWith60d(market, coin, vs)] as const)
  const maps = BY_CURRENCY.map((key): [string, Body] => {
    const values = entries.flatMap(([code, entry]): [string, unknown][] => {
      const value = figureOf(entry, key)
      return value === null || value === undefined ? [] : [[code, value]]
    })
    return [key, Object.fromEntries(values)]
  })
  const { market_cap: cap, market_cap_rank: rank, current_price: price } = inUsd
  const diluted = inUsd['fully_diluted_valuation'] as number | null
  const supply = inUsd['total_supply'] as number | null
  return {
    ...Object.fromEntries(maps),
    total_value_locked: null,
    mcap_to_tvl_ratio: null,
    fdv_to_tvl_ratio: null,
    roi: inUsd['roi'] ?? null,
    // The source rounds it to hundredths.
    market_cap_fdv_ratio:
      cap === null || diluted === null ? null : Math.round((cap / diluted) * 100) / 100,
    market_cap_rank: rank,
    market_cap_rank_with_rehypothecated: rank,
    outstanding_token_value_usd: supply === null ? null : price * supply,
    ...Object.fromEntries(IN_USD.map((key) => [key, figureOf(inUsd, key) ?? null])),
    total_supply: supply,
    max_supply: inUsd['max_supply'],
    max_supply_infinite: inUsd['max_supply'] === null,
    circulating_supply: inUsd['circulating_supply'],
    outstanding_supply: supply,
    last_updated: inUsd.last_updated,
  }
}

function isoDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
