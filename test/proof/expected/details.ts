import { COMMUNITY, DEVELOPER, IMAGES, PUBLIC_INTEREST } from './popularity.ts'
import type { AskedFor, ExpectedTable } from './expected-table.ts'
import {
  BODY,
  fromJson,
  itemsOf,
  mapsByKey,
  observed,
  text,
  type Reading,
  type Sketch,
  sketch,
} from './json-columns.ts'
import { rowsOfToken, tokenColumns } from './token.ts'

const CHANGES = ['24h', '7d', '14d', '30d', '60d', '200d', '1y']
const SCORES = ['coingecko', 'developer', 'community', 'liquidity', 'public_interest']

function same(reading: Reading, columns: readonly string[], within = ''): Sketch {
  return columns.map((column) => [column, reading, `${within}${column}`])
}

function prefixed(prefix: string, reading: Reading, keys: readonly string[], within: string) {
  return keys.map((key): Sketch[number] => [`${prefix}${key}`, reading, `${within}${key}`])
}

const DETAIL: Sketch = [
  ...sketch({
    DOUBLE: `block_time_in_minutes sentiment_votes_up_percentage
      sentiment_votes_down_percentage
      total_value_locked_btc=market_data.total_value_locked.btc
      total_value_locked_usd=market_data.total_value_locked.usd
      roi_times=market_data.roi.times roi_percentage=market_data.roi.percentage`,
    BOOLEAN: `preview_listing has_supply_breakdown
      max_supply_infinite=market_data.max_supply_infinite`,
    VARCHAR: 'public_notice country_origin roi_currency=market_data.roi.currency',
    JSON: `additional_notices ico_data status_updates
      sparkline_7d=market_data.sparkline_7d`,
    DATE: 'genesis_date',
    BIGINT: `watchlist_portfolio_users
      links_bitcointalk_thread_identifier=links.bitcointalk_thread_identifier`,
    TIMESTAMPTZ: `last_updated_at=last_updated
      market_data_last_updated_at=market_data.last_updated`,
  }),
  ...same('VARCHAR', ['symbol', 'name', 'web_slug', 'asset_platform_id', 'hashing_algorithm']),
  ...same('BIGINT', ['market_cap_rank', 'market_cap_rank_with_rehypothecated', 'coingecko_rank']),
  ...same(
    'DOUBLE',
    SCORES.map((what) => `${what}_score`),
  ),
  ...prefixed(
    'links_',
    'VARCHAR',
    [
      'whitepaper',
      'snapshot_url',
      'twitter_screen_name',
      'facebook_username',
      'telegram_channel_identifier',
      'subreddit_url',
    ],
    'links.',
  ),
  ...IMAGES,
  ...same(
    'DOUBLE',
    [
      'mcap_to_tvl_ratio',
      'fdv_to_tvl_ratio',
      'market_cap_fdv_ratio',
      'outstanding_token_value_usd',
      'total_supply',
      'max_supply',
      'circulating_supply',
      'outstanding_supply',
    ],
    'market_data.',
  ),
  ...prefixed(
    'market_data_',
    'BIGINT',
    ['market_cap_rank', 'market_cap_rank_with_rehypothecated'],
    'market_data.',
  ),
  ...[
    'price_change_24h',
    ...CHANGES.map((frame) => `price_change_percentage_${frame}`),
    'market_cap_change_24h',
    'market_cap_change_percentage_24h',
  ].map((key): Sketch[number] => [`${key}_usd`, 'DOUBLE', `market_data.${key}`]),
  ...COMMUNITY,
  ...DEVELOPER,
  ...PUBLIC_INTEREST,
]

/** Maps by currency inside market_data. */
const BY_CURRENCY: Sketch = [
  ...sketch({
    TIMESTAMPTZ: 'ath_at=ath_date atl_at=atl_date',
    DOUBLE: `atl_change_percentage price_change_24h_in_currency
      market_cap_change_24h_in_currency market_cap_change_percentage_24h_in_currency`,
  }),
  ...same('DOUBLE', ['current_price', 'market_cap', 'fully_diluted_valuation', 'total_volume']),
  ...same('DOUBLE', ['high_24h', 'low_24h', 'ath', 'ath_change_percentage', 'atl']),
  ...same(
    'DOUBLE',
    ['1h', ...CHANGES].map((frame) => `price_change_percentage_${frame}_in_currency`),
  ),
]

const LINK_LISTS = {
  homepage: 'links',
  blockchain_site: 'links',
  official_forum_url: 'links',
  chat_url: 'links',
  announcement_url: 'links',
  github: 'links.repos_url',
  bitbucket: 'links.repos_url',
}

/** What tells the tables of coins from those of tokens. */
interface Subject {
  table: string
  /** Start of the names of the child tables. */
  prefix: string
  /** Id columns of every row. */
  ids: string
  rows: string
  /** Columns of the one row that the other kind does not have, or has as an id. */
  own: Sketch
  /** Before the names of a platform's columns. */
  platform: string
}

export function coinDetails(asked: AskedFor): ExpectedTable[] {
  return details(asked, {
    table: 'coin_details',
    prefix: 'coin_detail_',
    ids: `${text(asked.entity)} AS coin_id`,
    rows: `coin_id = ${text(asked.entity)}`,
    own: [['contract_address', 'VARCHAR']],
    platform: '',
  })
}

export function tokenDetails(asked: AskedFor): ExpectedTable[] {
  return details(asked, {
    table: 'token_details',
    prefix: 'token_detail_',
    ids: tokenColumns(asked),
    rows: rowsOfToken(asked),
    own: [['coin_id', 'VARCHAR', 'id']],
    platform: 'deployment_',
  })
}

function details(asked: AskedFor, subject: Subject): ExpectedTable[] {
  const { table, prefix, ids, rows, own, platform } = subject
  const common = `${ids}, ${observed(asked)}`
  const child = (suffix: string, key: readonly string[], sql: string): ExpectedTable => {
    return { table: `${prefix}${suffix}`, key, rows, sql: `SELECT ${common}, ${sql}` }
  }
  const lists = Object.entries(LINK_LISTS).map(([kind, section]) => {
    const array = itemsOf(`j->'$.${section}.${kind}'`, BODY)
    return `SELECT '${kind}' AS kind, place AS ordinal, j->>'$' AS url FROM ${array}`
  })
  return [
    {
      table,
      key: [],
      rows,
      json: [
        'additional_notices',
        'ico_data',
        'status_updates',
        'sparkline_7d',
        'developer_last_4_weeks_commit_activity_series',
      ],
      sql: `SELECT ${common}, ${fromJson([...own, ...DETAIL])} FROM ${BODY}`,
    },
    child(
      'markets',
      ['vs_currency'],
      `key AS vs_currency, ${fromJson(BY_CURRENCY)} FROM ${mapsByKey(
        "j->'$.market_data'",
        BY_CURRENCY.map(([column, , path = column]) => path),
      )}`,
    ),
    child(
      'platforms',
      [`${platform}platform_id`],
      `key AS ${platform}platform_id, ${fromJson([
        [`${platform}contract_address`, 'VARCHAR', 'platforms'],
        ['decimal_place', 'BIGINT', 'detail_platforms.decimal_place'],
        ['detail_contract_address', 'VARCHAR', 'detail_platforms.contract_address'],
        ['geckoterminal_url', 'VARCHAR', 'detail_platforms.geckoterminal_url'],
      ])} FROM ${mapsByKey('j', ['platforms', 'detail_platforms'])}`,
    ),
    child(
      'categories',
      ['ordinal'],
      `coalesce(names.place, ids.place) AS ordinal, names.j->>'$' AS category_name,
  ids.j->>'$.id' AS category_id, ids.j->>'$.name' AS category_id_name
  FROM ${itemsOf("j->'$.categories'", BODY)} AS names
  FULL JOIN ${itemsOf("j->'$.categories_details'", BODY)} AS ids USING (place)`,
    ),
    child('links', ['kind', 'ordinal'], `* FROM (${lists.join('\nUNION ALL ')})`),
    child(
      'texts',
      ['language'],
      `key AS language, ${fromJson([
        ['localized_name', 'VARCHAR', 'localization'],
        ['description', 'VARCHAR'],
      ])} FROM ${mapsByKey('j', ['localization', 'description'])}`,
    ),
  ]
}
