import { type AskedFor, type ExpectedTable, tableOf } from './expected-table.ts'
import { fromJson, instant, items, sketch, text, utcDay } from './json-columns.ts'

/** Points with the id columns `of`, what else was asked for, and the step that each is in. */
function seriesOf(
  table: string,
  of: Record<string, string>,
  { granularity, stepMs }: AskedFor,
  { ms, columns, from }: { ms: string; columns: string; from: string },
): ExpectedTable[] {
  const bucket = instant(`floor(${ms} / ${stepMs})::BIGINT * ${stepMs}`)
  const select = [
    `${text(granularity)} AS granularity, ${instant(ms)} AS ts, ${bucket} AS bucket_at`,
    `${utcDay(bucket)} AS bucket_date, ${columns}`,
  ]
  return [tableOf(table, { key: 'ts', of, select, from })]
}

/** The three series of a chart, joined by time. */
export function chart(asked: AskedFor, table: string, of: Record<string, string>): ExpectedTable[] {
  // Where a time is listed again the last value counts.
  const series = (key: string, column: string): string =>
    `(SELECT (j->'$[0]')::BIGINT AS ms, last((j->'$[1]')::DOUBLE ORDER BY place) AS ${column}
      FROM ${items(`$.${key}`)} GROUP BY ms)`
  const from = `${series('prices', 'price')}
  FULL JOIN ${series('market_caps', 'market_cap')} USING (ms)
  FULL JOIN ${series('total_volumes', 'total_volume')} USING (ms)`
  const columns = `price, market_cap, total_volume, ${text(asked.vsCurrency)} AS vs_currency`
  return seriesOf(table, of, asked, { ms: 'ms', columns, from })
}

export function ohlc({ entity, vsCurrency, granularity, stepMs }: AskedFor): ExpectedTable[] {
  const start = instant(`(j->'$[0]')::BIGINT - ${stepMs}`)
  const select = [
    `${text(vsCurrency)} AS vs_currency, ${text(granularity)} AS granularity`,
    `${start} AS ts, ${instant("j->'$[0]'")} AS close_at, ${utcDay(start)} AS ts_date`,
    fromJson(sketch({ DOUBLE: 'open=[1] high=[2] low=[3] close=[4]' })),
  ]
  return [tableOf('ohlc', { key: 'ts', of: { coin_id: entity }, select, from: items('$') })]
}

export function exchangeVolumeChart(asked: AskedFor): ExpectedTable[] {
  const columns = fromJson(sketch({ DECIMAL: 'volume_24h_btc=[1]' }))
  const of = { exchange_id: asked.entity }
  const points = { ms: "(j->'$[0]')::BIGINT", columns, from: items('$') }
  return seriesOf('exchange_volume_chart', of, asked, points)
}
