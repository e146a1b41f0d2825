import type { AskedFor, ExpectedTable } from './expected-table.ts'
import {
  BODY,
  fromJson,
  items,
  observed,
  seenOnce,
  text,
  type Sketch,
  sketch,
} from './json-columns.ts'

const MARKET: Sketch = [
  ...sketch({
    VARCHAR: 'coin_id=id symbol name image roi_currency=roi.currency',
    DOUBLE: `current_price market_cap fully_diluted_valuation total_volume high_24h low_24h
      price_change_24h price_change_percentage_24h market_cap_change_24h
      market_cap_change_percentage_24h circulating_supply total_supply max_supply
      ath ath_change_percentage atl atl_change_percentage roi_times=roi.times
      roi_percentage=roi.percentage`,
    BIGINT: 'market_cap_rank market_cap_rank_with_rehypothecated',
    TIMESTAMPTZ: 'ath_at=ath_date atl_at=atl_date last_updated_at=last_updated',
    JSON: 'sparkline_in_7d',
  }),
  ...['1h', '24h', '7d', '14d', '30d', '200d', '1y'].map(
    (frame) => [`price_change_percentage_${frame}_in_currency`, 'DOUBLE'] as const,
  ),
]

const TICKER: Sketch = [
  ...sketch({
    VARCHAR: `base target target_coin_id market_name=market.name
      market_identifier=market.identifier market_logo=market.logo trust_score
      trade_url token_info_url`,
    BOOLEAN: 'market_has_trading_incentive=market.has_trading_incentive is_anomaly is_stale',
    DOUBLE: `last volume cost_to_move_up_usd cost_to_move_down_usd
      bid_ask_spread_percentage coin_mcap_usd`,
    TIMESTAMPTZ: 'ticker_at=timestamp last_traded_at last_fetch_at',
  }),
  ...['last', 'volume'].flatMap((what) =>
    ['btc', 'eth', 'usd'].map(
      (unit) => [`converted_${what}_${unit}`, 'DOUBLE', `converted_${what}.${unit}`] as const,
    ),
  ),
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
