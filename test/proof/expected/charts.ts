import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { fromJson, instant, items, text, utcDay, sketch } from './json-columns.ts'
import { rowsOfToken, tokenColumns } from './token.ts'

/** The three series of a chart, joined by time. */
function chart({ vsCurrency, granularity, stepMs }: AskedFor, names: string): string {
  // Where a time is listed again the last value counts.
  const series = (key: string, column: string): string =>
    `(SELECT (j->'$[0]')::BIGINT AS ms, last((j->'$[1]')::DOUBLE ORDER BY place) AS ${column}
      FROM ${items(`$.${key}`)} GROUP BY ms)`
  const bucket = instant(`floor(ms / ${stepMs})::BIGINT * ${stepMs}`)
  return `SELECT ${names}, ${text(vsCurrency)} AS vs_currency,
  ${text(granularity)} AS granularity, ${instant('ms')} AS ts, ${bucket} AS bucket_at,
  price, market_cap, total_volume, ${utcDay(bucket)} AS bucket_date
  FROM ${series('prices', 'price')}
  FULL JOIN ${series('market_caps', 'market_cap')} USING (ms)
  FULL JOIN ${series('total_volumes', 'total_volume')} USING (ms)`
}

export function marketChart(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'market_chart',
      key: ['ts'],
      rows: `coin_id = ${text(asked.entity)}`,
      sql: chart(asked, `${text(asked.entity)} AS coin_id`),
    },
  ]
}

export function tokenMarketChart(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'token_market_chart',
      key: ['ts'],
      rows: rowsOfToken(asked),
      sql: chart(asked, tokenColumns(asked)),
    },
  ]
}

export function ohlc({ entity, vsCurrency, granularity, stepMs }: AskedFor): ExpectedTable[] {
  const start = instant(`(j->'$[0]')::BIGINT - ${stepMs}`)
  return [
    {
      table: 'ohlc',
      key: ['ts'],
      rows: `coin_id = ${text(entity)}`,
      sql: `SELECT ${text(entity)} AS coin_id, ${text(vsCurrency)} AS vs_currency,
  ${text(granularity)} AS granularity, ${start} AS ts, ${instant("j->'$[0]'")} AS close_at,
  ${fromJson(sketch({ DOUBLE: 'open=[1] high=[2] low=[3] close=[4]' }))}, ${utcDay(start)} AS ts_date FROM ${items('$')}`,
    },
  ]
}

export function exchangeVolumeChart({ entity, granularity, stepMs }: AskedFor): ExpectedTable[] {
  const ms = "(j->'$[0]')::BIGINT"
  const bucket = instant(`floor(${ms} / ${stepMs})::BIGINT * ${stepMs}`)
  return [
    {
      table: 'exchange_volume_chart',
      key: ['ts'],
      rows: `exchange_id = ${text(entity)}`,
      sql: `SELECT ${text(entity)} AS exchange_id, ${text(granularity)} AS granularity,
  ${instant(ms)} AS ts, ${bucket} AS bucket_at, ${utcDay(bucket)} AS bucket_date,
  ${fromJson([['volume_24h_btc', 'DECIMAL', '[1]']])} FROM ${items('$')}`,
    },
  ]
}
