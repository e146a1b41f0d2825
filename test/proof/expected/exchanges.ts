import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, observed, seenOnce, text, sketch } from './json-columns.ts'

const STATS = sketch({
  VARCHAR: 'exchange_id=id name country description url image',
  BIGINT: 'year_established trust_score trust_score_rank',
  BOOLEAN: 'has_trading_incentive',
  DOUBLE: 'trade_volume_24h_btc trade_volume_24h_btc_normalized',
})

const DETAILS = sketch({
  VARCHAR: `name country description url image facebook_url reddit_url telegram_url
      slack_url other_url_1 other_url_2 twitter_handle public_notice alert_notice`,
  BIGINT: 'year_established trust_score trust_score_rank coins pairs',
  BOOLEAN: 'has_trading_incentive centralized',
  DOUBLE: 'trade_volume_24h_btc trade_volume_24h_btc_normalized',
  JSON: 'status_updates',
})

const RATE = sketch({ VARCHAR: 'name unit type', DOUBLE: 'value' })

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
