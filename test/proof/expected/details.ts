import { type AskedFor, type ExpectedTable, observed, tableOf } from './expected-table.ts'
import { BODY, fromJson, itemsOf, mapsByKey, sketch, text, type Sketch } from './json-columns.ts'
import { tokenColumns } from './token.ts'

/** The logo and the sections of popularity, which details and histories share. */
const POPULARITY: Sketch = [
  ...sketch({ VARCHAR: 'thumb small large' }, 'image_', 'image.'),
  ...sketch(
    {
      BIGINT: `facebook_likes twitter_followers reddit_subscribers telegram_channel_user_count`,
      DOUBLE: 'reddit_average_posts_48h reddit_average_comments_48h reddit_accounts_active_48h',
    },
    'community_',
    'community_data.',
  ),
  ...sketch(
    {
      BIGINT: `forks stars subscribers total_issues closed_issues pull_requests_merged
        pull_request_contributors commit_count_4_weeks`,
      JSON: 'last_4_weeks_commit_activity_series',
    },
    'developer_',
    'developer_data.',
  ),
  ...sketch(
    { BIGINT: 'additions deletions' },
    'developer_code_4_weeks_',
    'developer_data.code_additions_deletions_4_weeks.',
  ),
  // Not sent since 2023.
  ...sketch({ BIGINT: 'alexa_rank bing_matches' }, 'public_interest_', 'public_interest_stats.'),
]
const COMMITS = 'developer_last_4_weeks_commit_activity_series'

const CHANGES = ['24h', '7d', '14d', '30d', '60d', '200d', '1y']
const PERCENTAGES = CHANGES.map((frame) => `price_change_percentage_${frame}`)

const DETAIL: Sketch = [
  ...sketch({
    DOUBLE: `block_time_in_minutes sentiment_votes_up_percentage sentiment_votes_down_percentage
      coingecko_score developer_score community_score liquidity_score public_interest_score`,
    BOOLEAN: 'preview_listing has_supply_breakdown',
    VARCHAR: `symbol name web_slug asset_platform_id hashing_algorithm public_notice country_origin`,
    JSON: 'additional_notices ico_data status_updates',
    DATE: 'genesis_date',
    BIGINT: `watchlist_portfolio_users market_cap_rank market_cap_rank_with_rehypothecated
      coingecko_rank`,
    TIMESTAMPTZ: 'last_updated_at=last_updated',
  }),
  ...sketch(
    {
      VARCHAR: `whitepaper snapshot_url twitter_screen_name facebook_username
        telegram_channel_identifier subreddit_url`,
      BIGINT: 'bitcointalk_thread_identifier',
    },
    'links_',
    'links.',
  ),
  ...sketch(
    {
      DOUBLE: `total_value_locked_btc=total_value_locked.btc total_value_locked_usd=total_value_locked.usd
        roi_times=roi.times roi_percentage=roi.percentage mcap_to_tvl_ratio fdv_to_tvl_ratio
        market_cap_fdv_ratio outstanding_token_value_usd total_supply max_supply
        circulating_supply outstanding_supply price_change_24h_usd=price_change_24h
        market_cap_change_24h_usd=market_cap_change_24h
        market_cap_change_percentage_24h_usd=market_cap_change_percentage_24h
        ${PERCENTAGES.map((key) => `${key}_usd=${key}`).join(' ')}`,
      BOOLEAN: 'max_supply_infinite',
      VARCHAR: 'roi_currency=roi.currency',
      JSON: 'sparkline_7d',
    },
    '',
    'market_data.',
  ),
  ...sketch(
    {
      BIGINT: 'market_cap_rank market_cap_rank_with_rehypothecated',
      TIMESTAMPTZ: 'last_updated_at=last_updated',
    },
    'market_data_',
    'market_data.',
  ),
  ...POPULARITY,
]

/** Maps by currency inside market_data. */
const BY_CURRENCY = sketch({
  TIMESTAMPTZ: 'ath_at=ath_date atl_at=atl_date',
  DOUBLE: `current_price market_cap fully_diluted_valuation total_volume high_24h low_24h ath
      ath_change_percentage atl atl_change_percentage price_change_24h_in_currency
      market_cap_change_24h_in_currency market_cap_change_percentage_24h_in_currency
      price_change_percentage_1h_in_currency
      ${PERCENTAGES.map((key) => `${key}_in_currency`).join(' ')}`,
})

const LINK_LISTS = {
  homepage: 'links',
  blockchain_site: 'links',
  official_forum_url: 'links',
  chat_url: 'links',
  announcement_url: 'links',
  github: 'links.repos_url',
  bitbucket: 'links.repos_url',
}

/** Differences between the tables of coins and those of tokens. */
interface Subject {
  /** Start of the names of the tables. */
  table: string
  of: Record<string, string>
  /** Columns of the one row that the other kind does not have, or has as an id. */
  own: Sketch
  /** Before the names of a platform's columns. */
  platform: string
}

export function coinDetails(asked: AskedFor): ExpectedTable[] {
  const own = sketch({ VARCHAR: 'contract_address' })
  return details(asked, { table: 'coin_detail', of: { coin_id: asked.entity }, own, platform: '' })
}

export function tokenDetails(asked: AskedFor): ExpectedTable[] {
  const own = sketch({ VARCHAR: 'coin_id=id' })
  const platform = 'deployment_'
  return details(asked, { table: 'token_detail', of: tokenColumns(asked), own, platform })
}

function details(asked: AskedFor, { table, of, own, platform }: Subject): ExpectedTable[] {
  const child = (suffix: string, key: string, select: string, from: string): ExpectedTable =>
    tableOf(`${table}_${suffix}`, { key, of, select: [observed(asked), select], from })
  const lists = Object.entries(LINK_LISTS).map(([kind, section]) => {
    const array = itemsOf(`j->'$.${section}.${kind}'`, BODY)
    return `SELECT '${kind}' AS kind, place AS ordinal, j->>'$' AS url FROM ${array}`
  })
  const deployment: Sketch = [
    [`${platform}contract_address`, 'VARCHAR', 'platforms'],
    ['decimal_place', 'BIGINT', 'detail_platforms.decimal_place'],
    ['detail_contract_address', 'VARCHAR', 'detail_platforms.contract_address'],
    ['geckoterminal_url', 'VARCHAR', 'detail_platforms.geckoterminal_url'],
  ]
  const texts = sketch({ VARCHAR: 'localized_name=localization description' })
  return [
    tableOf(`${table}s`, {
      key: '',
      of,
      json: `additional_notices ico_data status_updates sparkline_7d ${COMMITS}`,
      select: [observed(asked), fromJson([...own, ...DETAIL])],
      from: BODY,
    }),
    child(
      'markets',
      'vs_currency',
      `key AS vs_currency, ${fromJson(BY_CURRENCY)}`,
      mapsByKey(
        "j->'$.market_data'",
        BY_CURRENCY.map(([column, , path = column]) => path),
      ),
    ),
    child(
      'platforms',
      `${platform}platform_id`,
      `key AS ${platform}platform_id, ${fromJson(deployment)}`,
      mapsByKey('j', ['platforms', 'detail_platforms']),
    ),
    child(
      'categories',
      'ordinal',
      `coalesce(names.place, ids.place) AS ordinal, names.j->>'$' AS category_name,
  ids.j->>'$.id' AS category_id, ids.j->>'$.name' AS category_id_name`,
      `${itemsOf("j->'$.categories'", BODY)} AS names
  FULL JOIN ${itemsOf("j->'$.categories_details'", BODY)} AS ids USING (place)`,
    ),
    child('links', 'kind ordinal', '*', `(${lists.join('\nUNION ALL ')})`),
    child(
      'texts',
      'language',
      `key AS language, ${fromJson(texts)}`,
      mapsByKey('j', ['localization', 'description']),
    ),
  ]
}

/** A day of which nothing is said has no row: no market data, and nothing but nulls in the rest. */
const SAYS_SOMETHING = `json_type(j->'$.market_data') = 'OBJECT' OR EXISTS (
    FROM json_tree(json_merge_patch(j, '{"id": null, "symbol": null, "name": null, "localization": null, "image": null}'))
      AS node WHERE node.type NOT IN ('OBJECT', 'ARRAY', 'NULL'))`

export function coinHistory({ entity, date }: AskedFor): ExpectedTable[] {
  const day = `DATE ${text(date)} AS date, TIMESTAMPTZ ${text(`${date}T00:00:00Z`)} AS ts`
  const of = { coin_id: entity }
  const stats = [...sketch({ VARCHAR: 'symbol name', JSON: 'localization' }), ...POPULARITY]
  const prices = sketch({ DOUBLE: 'price=current_price market_cap total_volume' })
  return [
    tableOf('coin_history_stats', {
      key: 'ts',
      of,
      json: `localization ${COMMITS}`,
      select: [day, fromJson(stats)],
      from: `${BODY} WHERE ${SAYS_SOMETHING}`,
    }),
    tableOf('coin_history', {
      key: 'vs_currency',
      of,
      select: [day, 'key AS vs_currency', fromJson(prices)],
      from: mapsByKey("j->'$.market_data'", ['current_price', 'market_cap', 'total_volume']),
    }),
  ]
}
