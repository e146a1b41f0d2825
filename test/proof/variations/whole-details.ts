import { amounts, counts, instants, texts } from './distinct-values.ts'
import type { Variations } from './variation.ts'

const CURRENCIES = 'usd eur'
const FRAMES = ['24h', '7d', '14d', '30d', '60d', '200d', '1y']

/** Maps by currency, divided by blanks. */
function byCurrency(keys: string): object {
  return Object.fromEntries(keys.split(' ').map((key) => [key, amounts(CURRENCIES)]))
}

function changes(suffix: string, frames: readonly string[]): string {
  return frames.map((frame) => `price_change_percentage_${frame}${suffix}`).join(' ')
}

function popularity(): object {
  return {
    community_data: {
      ...counts('facebook_likes twitter_followers reddit_subscribers'),
      ...counts('telegram_channel_user_count'),
      ...amounts('reddit_average_posts_48h reddit_average_comments_48h'),
      ...amounts('reddit_accounts_active_48h'),
    },
    developer_data: {
      ...counts('forks stars subscribers total_issues closed_issues pull_requests_merged'),
      ...counts('pull_request_contributors commit_count_4_weeks'),
      code_additions_deletions_4_weeks: counts('additions deletions'),
      last_4_weeks_commit_activity_series: Object.values(counts('a b c')),
    },
    public_interest_stats: counts('alexa_rank bing_matches'),
  }
}

function marketData(): object {
  return {
    ...byCurrency('current_price ath ath_change_percentage atl atl_change_percentage market_cap'),
    ...byCurrency('fully_diluted_valuation total_volume high_24h low_24h'),
    ...byCurrency('price_change_24h_in_currency market_cap_change_24h_in_currency'),
    ...byCurrency('market_cap_change_percentage_24h_in_currency'),
    ...byCurrency(changes('_in_currency', ['1h', ...FRAMES])),
    ath_date: instants(CURRENCIES),
    atl_date: instants(CURRENCIES),
    total_value_locked: amounts('btc usd'),
    roi: { ...amounts('times percentage'), ...texts('currency') },
    ...amounts('mcap_to_tvl_ratio fdv_to_tvl_ratio market_cap_fdv_ratio'),
    ...amounts('outstanding_token_value_usd price_change_24h market_cap_change_24h'),
    ...amounts(`market_cap_change_percentage_24h ${changes('', FRAMES)}`),
    ...amounts('total_supply max_supply circulating_supply outstanding_supply'),
    ...counts('market_cap_rank market_cap_rank_with_rehypothecated'),
    ...instants('last_updated'),
    max_supply_infinite: false,
    sparkline_7d: Object.values(amounts('a b c')),
  }
}

function details(): object {
  return {
    ...texts('id symbol name web_slug asset_platform_id hashing_algorithm public_notice'),
    ...texts('country_origin contract_address'),
    platforms: texts('ethereum solana'),
    detail_platforms: {
      ethereum: { ...counts('decimal_place'), ...texts('contract_address geckoterminal_url') },
      solana: { ...counts('decimal_place'), ...texts('contract_address geckoterminal_url') },
    },
    ...amounts('block_time_in_minutes sentiment_votes_up_percentage'),
    ...amounts('sentiment_votes_down_percentage'),
    categories: Object.values(texts('a b')),
    categories_details: [texts('id name'), texts('id name')],
    preview_listing: true,
    has_supply_breakdown: false,
    additional_notices: ['notice'],
    genesis_date: '2015-07-30',
    localization: texts('en de'),
    description: texts('en de'),
    links: {
      homepage: Object.values(texts('h1 h2')),
      blockchain_site: Object.values(texts('b1 b2')),
      official_forum_url: Object.values(texts('f1')),
      chat_url: Object.values(texts('c1')),
      announcement_url: Object.values(texts('a1')),
      ...texts('whitepaper snapshot_url twitter_screen_name facebook_username'),
      ...texts('telegram_channel_identifier subreddit_url'),
      ...counts('bitcointalk_thread_identifier'),
      repos_url: {
        github: Object.values(texts('g1 g2')),
        bitbucket: Object.values(texts('k1')),
      },
    },
    image: texts('thumb small large'),
    ico_data: texts('ico_start_date ico_end_date'),
    ...counts('watchlist_portfolio_users market_cap_rank market_cap_rank_with_rehypothecated'),
    ...counts('coingecko_rank'),
    ...amounts('coingecko_score developer_score community_score liquidity_score'),
    ...amounts('public_interest_score'),
    market_data: marketData(),
    ...popularity(),
    status_updates: [texts('description')],
    ...instants('last_updated'),
  }
}

const HISTORY = {
  ...texts('id symbol name'),
  localization: texts('en de'),
  image: texts('thumb small large'),
  market_data: byCurrency('current_price market_cap total_volume'),
  ...popularity(),
}

/** Details in which every documented key has a value of its own: a column that took another's is told. */
export const WHOLE_DETAILS: Variations = {
  'coins-id-whole--variation.json': { text: JSON.stringify(details()) },
  'coins-id-contract-whole--variation.json': { text: JSON.stringify(details()) },
  'coins-id-history-whole--variation.json': { text: JSON.stringify(HISTORY) },
}
