import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, observed, seenOnce, text, type Sketch } from './json-columns.ts'

const TICKER: Sketch = [
  ['market_name', 'VARCHAR', 'market'],
  ['symbol', 'VARCHAR'],
  ['index_id', 'VARCHAR'],
  ['price', 'DECIMAL'],
  ['price_percentage_change_24h', 'DOUBLE'],
  ['contract_type', 'VARCHAR'],
  ['index_price', 'DOUBLE', 'index'],
  ['basis', 'DOUBLE'],
  ['spread', 'DOUBLE'],
  ['funding_rate', 'DOUBLE'],
  ['open_interest_usd', 'DOUBLE', 'open_interest'],
  ['volume_24h_usd', 'DOUBLE', 'volume_24h'],
  ['last_traded_at', 'EPOCH_S'],
  ['expired_at', 'EPOCH_S'],
]

const EXCHANGE: Sketch = [
  ['name', 'VARCHAR'],
  ['open_interest_btc', 'DOUBLE'],
  ['trade_volume_24h_btc', 'DECIMAL'],
  ['number_of_perpetual_pairs', 'BIGINT'],
  ['number_of_futures_pairs', 'BIGINT'],
  ['image', 'VARCHAR'],
  ['year_established', 'BIGINT'],
  ['country', 'VARCHAR'],
  ['description', 'VARCHAR'],
  ['url', 'VARCHAR'],
]

const CONTRACT: Sketch = [
  ['symbol', 'VARCHAR'],
  ['base', 'VARCHAR'],
  ['target', 'VARCHAR'],
  ['coin_id', 'VARCHAR'],
  ['target_coin_id', 'VARCHAR'],
  ['trade_url', 'VARCHAR'],
  ['contract_type', 'VARCHAR'],
  ['last', 'DOUBLE'],
  ['price_percentage_change_24h', 'DOUBLE', 'h24_percentage_change'],
  ['index_price', 'DOUBLE', 'index'],
  ['index_basis_percentage', 'DOUBLE'],
  ['bid_ask_spread', 'DOUBLE'],
  ['funding_rate', 'DOUBLE'],
  ['open_interest_usd', 'DOUBLE'],
  ['volume_24h', 'DOUBLE', 'h24_volume'],
  ...['volume', 'last'].flatMap((what) =>
    ['btc', 'eth', 'usd'].map(
      (unit) => [`converted_${what}_${unit}`, 'DECIMAL', `converted_${what}.${unit}`] as const,
    ),
  ),
  ['last_traded_at', 'EPOCH_S', 'last_traded'],
  ['expired_at', 'EPOCH_S'],
]

export function derivativeTickers(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'derivative_tickers',
      key: ['ordinal'],
      sql: `SELECT ${observed(asked)}, place AS ordinal, ${fromJson(TICKER)} FROM ${items('$')}`,
    },
  ]
}

export function derivativeExchangesList(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'derivative_exchanges',
      key: ['exchange_id'],
      sql: `SELECT j->>'$.id' AS exchange_id, j->>'$.name' AS name, ${seenOnce(asked)},
  place AS list_ordinal FROM ${items('$')}`,
    },
  ]
}

export function derivativeExchangeStats(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'derivative_exchange_stats',
      key: ['exchange_id'],
      sql: `SELECT ${observed(asked)}, place AS ordinal, j->>'$.id' AS exchange_id,
  ${fromJson(EXCHANGE)} FROM ${items('$')}`,
    },
  ]
}

export function derivativeExchange(asked: AskedFor): ExpectedTable[] {
  const common = `${text(asked.entity)} AS exchange_id, ${observed(asked)}`
  const rows = `exchange_id = ${text(asked.entity)}`
  return [
    {
      table: 'derivative_exchange_details',
      key: ['exchange_id'],
      rows,
      sql: `SELECT ${common}, ${fromJson(EXCHANGE)} FROM ${BODY}`,
    },
    {
      table: 'derivative_exchange_tickers',
      key: ['ordinal'],
      rows,
      sql: `SELECT ${common}, place AS ordinal, ${fromJson(CONTRACT)} FROM ${items('$.tickers')}`,
    },
  ]
}
