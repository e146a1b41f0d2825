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

const TICKER = sketch({
  VARCHAR: 'market_name=market symbol index_id contract_type',
  DECIMAL: 'price',
  DOUBLE: `price_percentage_change_24h index_price=index basis spread funding_rate
      open_interest_usd=open_interest volume_24h_usd=volume_24h`,
  EPOCH_S: 'last_traded_at expired_at',
})

const EXCHANGE = sketch({
  VARCHAR: 'name image country description url',
  DOUBLE: 'open_interest_btc',
  DECIMAL: 'trade_volume_24h_btc',
  BIGINT: 'number_of_perpetual_pairs number_of_futures_pairs year_established',
})

const CONTRACT: Sketch = [
  ...sketch({
    VARCHAR: 'symbol base target coin_id target_coin_id trade_url contract_type',
    DOUBLE: `last price_percentage_change_24h=h24_percentage_change index_price=index
      index_basis_percentage bid_ask_spread funding_rate open_interest_usd
      volume_24h=h24_volume`,
    EPOCH_S: 'last_traded_at=last_traded expired_at',
  }),
  ...['volume', 'last'].flatMap((what) =>
    ['btc', 'eth', 'usd'].map(
      (unit) => [`converted_${what}_${unit}`, 'DECIMAL', `converted_${what}.${unit}`] as const,
    ),
  ),
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
