import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, observed, seenOnce, text, type Sketch } from './json-columns.ts'

const MARKET: Sketch = [
  ['coin_id', 'VARCHAR', 'id'],
  ['symbol', 'VARCHAR'],
  ['name', 'VARCHAR'],
  ['image', 'VARCHAR'],
  ['current_price', 'DOUBLE'],
  ['market_cap', 'DOUBLE'],
  ['market_cap_rank', 'BIGINT'],
  ['fully_diluted_valuation', 'DOUBLE'],
  ['total_volume', 'DOUBLE'],
  ['high_24h', 'DOUBLE'],
  ['low_24h', 'DOUBLE'],
  ['price_change_24h', 'DOUBLE'],
  ['price_change_percentage_24h', 'DOUBLE'],
  ['market_cap_change_24h', 'DOUBLE'],
  ['market_cap_change_percentage_24h', 'DOUBLE'],
  ['circulating_supply', 'DOUBLE'],
  ['total_supply', 'DOUBLE'],
  ['max_supply', 'DOUBLE'],
  ['ath', 'DOUBLE'],
  ['ath_change_percentage', 'DOUBLE'],
  ['ath_at', 'TIMESTAMPTZ', 'ath_date'],
  ['atl', 'DOUBLE'],
  ['atl_change_percentage', 'DOUBLE'],
  ['atl_at', 'TIMESTAMPTZ', 'atl_date'],
  ['roi_times', 'DOUBLE', 'roi.times'],
  ['roi_currency', 'VARCHAR', 'roi.currency'],
  ['roi_percentage', 'DOUBLE', 'roi.percentage'],
  ['last_updated_at', 'TIMESTAMPTZ', 'last_updated'],
  ['market_cap_rank_with_rehypothecated', 'BIGINT'],
  ['sparkline_in_7d', 'JSON'],
  ...['1h', '24h', '7d', '14d', '30d', '200d', '1y'].map(
    (frame) => [`price_change_percentage_${frame}_in_currency`, 'DOUBLE'] as const,
  ),
]

const TICKER: Sketch = [
  ['base', 'VARCHAR'],
  ['target', 'VARCHAR'],
  ['target_coin_id', 'VARCHAR'],
  ['market_name', 'VARCHAR', 'market.name'],
  ['market_identifier', 'VARCHAR', 'market.identifier'],
  ['market_has_trading_incentive', 'BOOLEAN', 'market.has_trading_incentive'],
  ['market_logo', 'VARCHAR', 'market.logo'],
  ['last', 'DOUBLE'],
  ['volume', 'DOUBLE'],
  ['cost_to_move_up_usd', 'DOUBLE'],
  ['cost_to_move_down_usd', 'DOUBLE'],
  ...['last', 'volume'].flatMap((what) =>
    ['btc', 'eth', 'usd'].map(
      (unit) => [`converted_${what}_${unit}`, 'DOUBLE', `converted_${what}.${unit}`] as const,
    ),
  ),
  ['trust_score', 'VARCHAR'],
  ['bid_ask_spread_percentage', 'DOUBLE'],
  ['ticker_at', 'TIMESTAMPTZ', 'timestamp'],
  ['last_traded_at', 'TIMESTAMPTZ'],
  ['last_fetch_at', 'TIMESTAMPTZ'],
  ['is_anomaly', 'BOOLEAN'],
  ['is_stale', 'BOOLEAN'],
  ['trade_url', 'VARCHAR'],
  ['token_info_url', 'VARCHAR'],
  ['coin_mcap_usd', 'DOUBLE'],
]

/** What coin and exchange tickers have in common. */
const LISTED_TICKER = `(SELECT j->>'$.name' FROM ${BODY}) AS listing_name,
  coalesce(j->>'$.coin_id', '') AS coin_id, place AS ordinal,
  ${fromJson(TICKER)}`

export function coins(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'coins',
      key: ['coin_id', 'symbol', 'name'],
      sql: `SELECT j->>'$.id' AS coin_id, j->>'$.symbol' AS symbol, j->>'$.name' AS name,
  ${seenOnce(asked)}, place AS list_ordinal FROM ${items('$')}`,
    },
    {
      table: 'coin_platforms',
      key: ['coin_id', 'platform_id', 'contract_address'],
      sql: `SELECT coin_id, entry.key AS platform_id, entry.value->>'$' AS contract_address,
  ${seenOnce(asked)}
  FROM (SELECT j->>'$.id' AS coin_id, coalesce(j->'$.platforms', '{}'::JSON) AS platforms
    FROM ${items('$')}), json_each(platforms) AS entry
  WHERE json_type(entry.value) = 'VARCHAR'`,
    },
  ]
}

export function coinMarkets(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'coin_markets',
      key: ['ordinal'],
      rows: `vs_currency = ${text(asked.vsCurrency)}`,
      json: ['sparkline_in_7d'],
      sql: `SELECT ${text(asked.vsCurrency)} AS vs_currency, ${observed(asked)}, place AS ordinal,
  ${fromJson(MARKET)} FROM ${items('$')}`,
    },
  ]
}

export function coinTickers(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'coin_tickers',
      key: ['ordinal'],
      rows: `listing_coin_id = ${text(asked.entity)}`,
      sql: `SELECT ${text(asked.entity)} AS listing_coin_id, ${observed(asked)},
  coalesce(j->>'$.market.identifier', '') AS exchange_id,
  ${LISTED_TICKER} FROM ${items('$.tickers')}`,
    },
  ]
}

export function exchangeTickers(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchange_tickers',
      key: ['ordinal'],
      rows: `exchange_id = ${text(asked.entity)}`,
      sql: `SELECT ${text(asked.entity)} AS exchange_id, ${observed(asked)},
  ${LISTED_TICKER} FROM ${items('$.tickers')}`,
    },
  ]
}
