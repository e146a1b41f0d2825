import { DAY_MS } from '../../../config/values/duration.ts'
import { GRANULARITY_MS } from '../../../api/granularity.ts'
import type { Config } from '../../../config/config.ts'
import { ConfigError } from '../../../config/config-error.ts'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { isoSql, type OpenLedger } from '../../ledger/open-ledger.ts'

export interface PriceFacts {
  coinId: string
  vsCurrency: string
  /** Step of `points`: hourly for short histories, else daily. Points with `is_moving` are left out. */
  granularity: '1h' | '1d'
  /** In order of time. */
  points: { at: string; price: number }[]
  /** Daily candles, made of shorter ones, or candles of four days; the last 90. */
  candles: {
    granularity: '1d' | '4d'
    rows: { at: string; open: number; high: number; low: number; close: number }[]
  } | null
}

/** The coin of the report; null = the report chooses. */
export interface CoinChoice {
  coinId: string | null
  vsCurrency: string | null
}

/** Longest history that is drawn hour by hour. */
const HOURLY_DAYS = 100
const CANDLES = 90

/**
 * Reads the analyst views. Without a named coin it takes the first configured one with prices, else bitcoin, else any.
 *
 * @returns null when no price of any coin is published
 * @throws ConfigError COIN_UNKNOWN for a named coin or currency without a price
 */
export async function priceFacts(
  rows: OpenLedger['rows'],
  config: Config,
  choice: CoinChoice,
): Promise<PriceFacts | null> {
  // A publication has only the tables and views of wanted datasets.
  const relations = await rows('SELECT table_name FROM information_schema.tables')
  const isThere = (name: string): boolean => relations.some((row) => row['table_name'] === name)
  const series = await chooseSeries(isThere('daily_prices') ? rows : async () => [], config, choice)
  if (series === null) return null
  const { coinId, vsCurrency, hours, days } = series
  const where = `WHERE coin_id = ${quoteText(coinId)} AND vs_currency = ${quoteText(vsCurrency)}`
  const isHourly =
    hours > 0 && hours <= HOURLY_DAYS * (DAY_MS / GRANULARITY_MS['1h']) && days <= HOURLY_DAYS
  const view = isHourly ? 'hourly_prices' : 'daily_prices'
  const points = await rows<PriceFacts['points'][number]>(
    `SELECT ${isoSql('as_of')} AS "at", price FROM ${view} ${where} AND price IS NOT NULL ORDER BY as_of`,
  )
  const ohlc = isThere('daily_ohlc') ? rows : async () => []
  // An older publication calls the day bucket_date.
  const day = `coalesce(*COLUMNS('^(close_of_date|bucket_date)$'))::TIMESTAMPTZ`
  const daily = await ohlc(
    `SELECT ${isoSql(day)} AS "at", open, high, low, close FROM daily_ohlc ${where}
     ORDER BY "at" DESC LIMIT ${CANDLES}`,
  )
  const isDaily = daily.length > 0
  const found = isDaily
    ? daily
    : await ohlc(
        `SELECT ${isoSql('ts')} AS "at", open, high, low, close FROM ohlc ${where}
           AND granularity = '4d' AND NOT is_provisional ORDER BY "at" DESC LIMIT ${CANDLES}`,
      )
  const candles = found as NonNullable<PriceFacts['candles']>['rows']
  return {
    coinId,
    vsCurrency,
    granularity: isHourly ? '1h' : '1d',
    points,
    candles:
      candles.length === 0 ? null : { granularity: isDaily ? '1d' : '4d', rows: candles.reverse() },
  }
}

interface Series {
  coinId: string
  vsCurrency: string
  hours: number
  /** Days from the first to the last point, or a greater number of daily points. */
  days: number
}

/** The coin and currency to draw, the configured ones first; null = no price is published. */
async function chooseSeries(
  rows: OpenLedger['rows'],
  config: Config,
  { coinId, vsCurrency }: CoinChoice,
): Promise<Series | null> {
  const named = config.datasets.flatMap(({ coins }) =>
    coins !== null && 'ids' in coins ? coins.ids : [],
  )
  const coins = listSql([...named, 'bitcoin'])
  const currencies = listSql(config.datasets.flatMap((order) => order.vsCurrencies))
  const tests = [
    ...(coinId === null ? [] : [`coin_id = ${quoteText(coinId)}`]),
    ...(vsCurrency === null ? [] : [`vs_currency = ${quoteText(vsCurrency)}`]),
  ]
  const [chosen] = await rows(
    `SELECT DISTINCT coin_id, vs_currency FROM market_chart ${tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`}
     ORDER BY list_position(${coins}, coin_id) NULLS LAST, list_position(${currencies}, vs_currency) NULLS LAST,
       coin_id, vs_currency LIMIT 1`,
  )
  if (chosen === undefined && tests.length > 0) {
    const asked = [coinId ?? 'any coin', ...(vsCurrency === null ? [] : [`in ${vsCurrency}`])]
    throw new ConfigError(`no price of ${asked.join(' ')} is published`, {
      code: 'COIN_UNKNOWN',
      hint: '`coinlake query "select distinct coin_id, vs_currency from market_chart"` lists the published ones.',
    })
  }
  const [series] = await rows<Series>(
    `SELECT coin_id AS "coinId", vs_currency AS "vsCurrency", count(*) FILTER (step = '1h') AS hours,
       greatest(count(*) FILTER (step = '1d'), (max(epoch_ms(as_of)) - min(epoch_ms(as_of))) / ${DAY_MS}) AS days
     FROM (SELECT coin_id, vs_currency, as_of, '1h' AS step FROM hourly_prices
       UNION ALL SELECT coin_id, vs_currency, as_of, '1d' FROM daily_prices)
     WHERE coin_id = $coin_id AND vs_currency = $vs_currency GROUP BY ALL`,
    { coin_id: '', vs_currency: '', ...chosen },
  )
  return series ?? null
}

function listSql(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(', ')}]::VARCHAR[]`
}
