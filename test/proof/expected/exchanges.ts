import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, observed, seenOnce, text, type Sketch } from './json-columns.ts'

const STATS: Sketch = [
  ['exchange_id', 'VARCHAR', 'id'],
  ['name', 'VARCHAR'],
  ['year_established', 'BIGINT'],
  ['country', 'VARCHAR'],
  ['description', 'VARCHAR'],
  ['url', 'VARCHAR'],
  ['image', 'VARCHAR'],
  ['has_trading_incentive', 'BOOLEAN'],
  ['trust_score', 'BIGINT'],
  ['trust_score_rank', 'BIGINT'],
  ['trade_volume_24h_btc', 'DOUBLE'],
  ['trade_volume_24h_btc_normalized', 'DOUBLE'],
]

const DETAILS: Sketch = [
  ['name', 'VARCHAR'],
  ['year_established', 'BIGINT'],
  ['country', 'VARCHAR'],
  ['description', 'VARCHAR'],
  ['url', 'VARCHAR'],
  ['image', 'VARCHAR'],
  ['facebook_url', 'VARCHAR'],
  ['reddit_url', 'VARCHAR'],
  ['telegram_url', 'VARCHAR'],
  ['slack_url', 'VARCHAR'],
  ['other_url_1', 'VARCHAR'],
  ['other_url_2', 'VARCHAR'],
  ['twitter_handle', 'VARCHAR'],
  ['has_trading_incentive', 'BOOLEAN'],
  ['centralized', 'BOOLEAN'],
  ['public_notice', 'VARCHAR'],
  ['alert_notice', 'VARCHAR'],
  ['trust_score', 'BIGINT'],
  ['trust_score_rank', 'BIGINT'],
  ['coins', 'BIGINT'],
  ['pairs', 'BIGINT'],
  ['trade_volume_24h_btc', 'DOUBLE'],
  ['trade_volume_24h_btc_normalized', 'DOUBLE'],
  ['status_updates', 'JSON'],
]

const RATE: Sketch = [
  ['name', 'VARCHAR'],
  ['unit', 'VARCHAR'],
  ['value', 'DOUBLE'],
  ['type', 'VARCHAR'],
]

export function exchangesList(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchanges',
      key: ['exchange_id'],
      sql: `SELECT j->>'$.id' AS exchange_id, j->>'$.name' AS name, ${seenOnce(asked)},
  place AS list_ordinal FROM ${items('$')}`,
    },
  ]
}

export function exchangeStats(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchange_stats',
      key: ['ordinal'],
      sql: `SELECT ${observed(asked)}, place AS ordinal, ${fromJson(STATS)} FROM ${items('$')}`,
    },
  ]
}

export function exchangeDetails(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchange_details',
      key: ['exchange_id'],
      rows: `exchange_id = ${text(asked.entity)}`,
      json: ['status_updates'],
      sql: `SELECT ${text(asked.entity)} AS exchange_id, ${observed(asked)},
  ${fromJson(DETAILS)} FROM ${BODY}`,
    },
  ]
}

export function exchangeRates(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'exchange_rates',
      key: ['currency'],
      sql: `SELECT entry.key AS currency, ${observed(asked)},
  row_number() OVER (ORDER BY entry.rowid) - 1 AS ordinal,
  ${fromJson(RATE, 'entry.value')}
  FROM (SELECT j->'$.rates' AS rates FROM ${BODY}), json_each(rates) AS entry`,
    },
  ]
}
