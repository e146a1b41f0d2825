import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allTables, datasets } from '../../../datasets/index.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { createNewestViews } from './newest-views.ts'
import { candles } from '../../../sinks/views/candles.ts'
import { analystViews } from '../../../sinks/views/analyst-views.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

const LINEAGE = 'fetched_at, slice_id, load_id'
const LINEAGE_VALUES = `TIMESTAMPTZ '2024-06-01 00:00:00Z', 's', 1`
/** Of rows that will not change any more. */
const SETTLED = `is_provisional, ${LINEAGE}`
const SETTLED_VALUES = `false, ${LINEAGE_VALUES}`

/** The views over rows whose figures are known. */
const reader = await memoryDuckdb(afterAll)

beforeAll(async () => {
  for (const table of allTables) {
    await reader.run(createTableSql(table))
  }
  // Daily prices that double, halve, miss a day and go on; a second coin that does the opposite.
  const days = Array.from({ length: 60 }, (_, day) => day).filter((day) => day !== 40)
  const points = days.flatMap((day) => {
    const rise = 2 ** (day % 2) * (1 + day / 100)
    return [
      ['amp', day, rise, 3],
      ['bolt', day, 1 / rise, 1],
      // Moves never, and its market cap is not known.
      ['calm', day, 5, 0],
    ] as const
  })
  const values = points.map(([coin, day, price, cap]) => {
    const at = new Date(Date.UTC(2024, 2, 1 + day)).toISOString()
    const date = at.slice(0, 10)
    return `('${coin}', 'usd', '1d', TIMESTAMPTZ '${at}', TIMESTAMPTZ '${at}', DATE '${date}', ${price}, ${cap}, ${SETTLED_VALUES})`
  })
  await reader.run(
    `INSERT INTO market_chart (coin_id, vs_currency, granularity, ts, bucket_at, bucket_date, price, market_cap, ${SETTLED})
     VALUES ${values.join(', ')}`,
  )

  // Hourly prices over midnight, with an hour that is missing, and a last point that may still change. The hour after
  // midnight has a second point, after the end of the candle before it.
  const hours = [21, 22, 23, 24, 25, 28, 29]
  await reader.run(
    `INSERT INTO market_chart (coin_id, vs_currency, granularity, ts, bucket_at, bucket_date, price, ${SETTLED})
     SELECT 'cord', 'eur', '1h', hour_at + INTERVAL 2 MINUTES, hour_at, (hour_at AT TIME ZONE 'UTC')::DATE, 40 - hour % 24,
       hour = 29, ${LINEAGE_VALUES}
     FROM (SELECT hour, TIMESTAMPTZ '2024-03-09 00:00:00Z' + to_hours(hour) AS hour_at
       FROM unnest([${hours.join(', ')}]) AS hours(hour))
     UNION ALL VALUES ('cord', 'eur', '1h', TIMESTAMPTZ '2024-03-10 00:50:00Z', TIMESTAMPTZ '2024-03-10 00:00:00Z',
       DATE '2024-03-10', 99, ${SETTLED_VALUES})`,
  )
  await reader.run(
    `INSERT INTO global_market_by_currency (vs_currency, observed_at, observed_date, total_market_cap, ${LINEAGE})
     SELECT 'usd', seen_at, (seen_at AT TIME ZONE 'UTC')::DATE, total, ${LINEAGE_VALUES} FROM (VALUES
       (TIMESTAMPTZ '2024-03-01 14:00:00Z', 100), (TIMESTAMPTZ '2024-03-02 01:00:00Z', 8),
       (TIMESTAMPTZ '2024-03-02 23:00:00Z', 6), (TIMESTAMPTZ '2024-05-30 00:00:00Z', 9)) seen(seen_at, total)`,
  )

  // Candles: a whole day of 4 hours, a day with two of them and three of 30 minutes, one of 4 days.
  const candle = (granularity: string, at: string, figures: string): string =>
    `('amp', 'usd', '${granularity}', TIMESTAMPTZ '${at}', TIMESTAMPTZ '${at}', DATE '${at.slice(0, 10)}', ${figures}, ${SETTLED_VALUES})`
  const whole = [0, 4, 8, 12, 16, 20].map((hour) =>
    candle('4h', `2024-03-10T${String(hour).padStart(2, '0')}:00:00Z`, `${hour}, 30, -1, 7`),
  )
  const part = [
    candle('4h', '2024-03-11T00:00:00Z', '1, 9, 1, 5'),
    candle('4h', '2024-03-11T04:00:00Z', '5, 6, 2, 3'),
    candle('30m', '2024-03-11T00:00:00Z', '100, 100, 100, 100'),
    candle('4d', '2024-03-11T00:00:00Z', '0, 99, 0, 99'),
    candle('30m', '2024-03-12T23:30:00Z', '1, 2, 0, 1.5'),
  ]
  await reader.run(
    `INSERT INTO ohlc (coin_id, vs_currency, granularity, ts, close_at, ts_date, open, high, low, close, ${SETTLED})
     VALUES ${[...whole, ...part].join(', ')}`,
  )

  const ticker = (pair: number, figures: string): string =>
    `('kraken', 'B${pair}', 'USD', '', TIMESTAMPTZ '2024-06-01 00:00:00Z', ${pair}, DATE '2024-06-01', ${figures}, ${LINEAGE_VALUES})`
  await reader.run(
    `INSERT INTO exchange_tickers (exchange_id, base, target, coin_id, observed_at, ordinal, observed_date,
       converted_volume_usd, converted_volume_btc, bid_ask_spread_percentage, is_stale, is_anomaly, ${LINEAGE})
     VALUES ${[
       ticker(1, '10, 1, 0.1, false, false'),
       ticker(2, '20, 2, 0.3, false, NULL'),
       ticker(3, '1000, 9, 9, true, false'),
       ticker(4, '1000, 9, 9, false, true'),
       ticker(5, 'NULL, NULL, 0.2, NULL, false'),
     ].join(', ')}`,
  )
  await reader.run(
    `INSERT INTO exchange_rates (currency, observed_at, observed_date, ordinal, value, ${LINEAGE})
     SELECT code, TIMESTAMPTZ '2024-06-01 00:00:00Z' + to_hours(hour), DATE '2024-06-01', 0, units, ${LINEAGE_VALUES}
     FROM (VALUES (0, 'btc', 1), (0, 'usd', 50000), (0, 'eur', 40000), (0, 'nil', 0),
       (12, 'usd', 60000), (12, 'eur', 30000)) rates(hour, code, units)`,
  )
  await createNewestViews(reader, allTables)
  // Those of the figures; what reads the ledger, too, is told by tests that have one.
  const there = new Set(datasets.flatMap(({ tables }) => tables.map(({ name }) => name)))
  for (const { name, sql, needs } of analystViews) {
    if (needs.every((need) => there.has(need))) await reader.run(`CREATE VIEW ${name} AS ${sql}`)
  }
  await reader.run(`CREATE MACRO candles(${candles.parameters}) AS TABLE ${candles.sql}`)
})
async function rows(sql: string): Promise<unknown[]> {
  return (await reader.runAndReadAll(sql)).getRowsJson()
}

describe.each(['UTC', 'Asia/Tokyo', 'America/New_York'])('in the time zone %s', (zone) => {
  beforeAll(async () => {
    await reader.run(`SET TimeZone = '${zone}'`)
  })

  test('daily_ohlc: the candles that cover most of a UTC day, in one', async () => {
    const found = await rows(
      `SELECT close_of_date::VARCHAR, granularity, open, high, low, close, covered_hours
       FROM daily_ohlc ORDER BY close_of_date`,
    )
    expect(found).toEqual([
      ['2024-03-10', '4h', 0, 30, -1, 7, 24],
      ['2024-03-11', '4h', 1, 9, 1, 3, 8],
      ['2024-03-12', '30m', 1, 2, 0, 1.5, 0.5],
    ])
  })

  test('returns: none over a missing day', async () => {
    const found = await rows(
      `SELECT close_of_date::VARCHAR, round(simple_return, 6), round(log_return, 6) FROM returns
       WHERE coin_id = 'amp' AND close_of_date BETWEEN DATE '2024-04-07' AND DATE '2024-04-12'
       ORDER BY close_of_date`,
    )
    // Day 40 is 2024-04-10: neither it nor the day after has a return.
    const simple = (day: number): number => {
      const price = (at: number): number => 2 ** (at % 2) * (1 + at / 100)
      return price(day) / price(day - 1) - 1
    }
    expect(found).toEqual(
      [38, 39, 42, 43].map((day) => [
        new Date(Date.UTC(2024, 2, day)).toISOString().slice(0, 10),
        Math.round(simple(day) * 1e6) / 1e6,
        Math.round(Math.log(1 + simple(day)) * 1e6) / 1e6,
      ]),
    )
  })

  test('volatility: NULL until twenty days are known', async () => {
    const found = await rows(
      `SELECT close_of_date::VARCHAR, returns_30d::INTEGER, round(volatility_30d, 9),
         round(volatility_30d_annualised / volatility_30d, 6)
       FROM volatility WHERE coin_id = 'amp' AND close_of_date IN ('2024-03-19', '2024-03-20', '2024-04-11')
       ORDER BY close_of_date`,
    )
    const logs = (from: number, to: number): number[] => {
      const price = (at: number): number => 2 ** (at % 2) * (1 + at / 100)
      return Array.from({ length: to - from + 1 }, (_, i) => from + i)
        .filter((day) => day !== 40 && day !== 41)
        .map((day) => Math.log(price(day) / price(day - 1)))
    }
    const deviation = (values: readonly number[]): number => {
      const mean = values.reduce((a, b) => a + b, 0) / values.length
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      return Math.round(Math.sqrt(squares / (values.length - 1)) * 1e9) / 1e9
    }
    const year = Math.round(Math.sqrt(365) * 1e6) / 1e6
    expect(found).toEqual([
      ['2024-03-19', 19, null, null],
      ['2024-03-20', 20, deviation(logs(1, 20)), year],
      ['2024-04-11', 28, deviation(logs(13, 42)), year],
    ])
  })

  test('correlation: exact opposites over the days that both have, a coin with itself, one that never moves', async () => {
    const found = await rows(
      `SELECT coin_id, other_coin_id, from_date::VARCHAR, to_date::VARCHAR, days::INTEGER, round(correlation_90d, 9)
       FROM correlation ORDER BY coin_id, other_coin_id`,
    )
    const days = ['2024-03-01', '2024-04-28', 57]
    expect(found).toEqual([
      ['amp', 'amp', ...days, 1],
      ['amp', 'bolt', ...days, -1],
      ['amp', 'calm', ...days, null],
      ['bolt', 'amp', ...days, -1],
      ['bolt', 'bolt', ...days, 1],
      ['bolt', 'calm', ...days, null],
      ['calm', 'amp', ...days, null],
      ['calm', 'bolt', ...days, null],
      ['calm', 'calm', ...days, null],
    ])
    const own = `SELECT DISTINCT correlation_90d FROM correlation WHERE coin_id = other_coin_id ORDER BY ALL`
    expect(await rows(own)).toEqual([[1], [null]])
  })

  test('one price beside the limits of a double leaves returns, volatility and correlation of all coins', async () => {
    await reader.run('BEGIN')
    await reader.run(
      `INSERT INTO market_chart (coin_id, vs_currency, granularity, ts, bucket_at, bucket_date, price, ${SETTLED})
       SELECT 'dust', 'usd', '1d', ts, ts, bucket_date,
         CASE bucket_date WHEN DATE '2024-04-20' THEN 1e-320 WHEN DATE '2024-04-21' THEN 1e308 ELSE price END,
         ${SETTLED_VALUES}
       FROM market_chart WHERE coin_id = 'amp'`,
    )
    try {
      const found = await rows(
        `SELECT round(max(log_return), 3), round(min(log_return), 3),
           (SELECT count(*)::INTEGER FROM volatility WHERE isfinite(volatility_30d)) > 0,
           (SELECT count(*)::INTEGER FROM correlation WHERE isfinite(correlation_90d))
         FROM returns WHERE coin_id = 'dust'`,
      )
      const rise = Math.round((Math.log(1e308) - Math.log(1e-320)) * 1e3) / 1e3
      // The day before is day 49, at 2 * 1.49.
      const fall = Math.round((Math.log(1e-320) - Math.log(2.98)) * 1e3) / 1e3
      expect(found).toEqual([[rise, fall, true, 9]])
    } finally {
      await reader.run('ROLLBACK')
    }
  })

  test('market_share: parts of the known caps of a day', async () => {
    const found = await rows(
      `SELECT DISTINCT coin_id, share_of_coins, coins::INTEGER, coins_market_cap FROM market_share ORDER BY ALL`,
    )
    expect(found).toEqual([
      ['amp', 0.75, 2, 4],
      ['bolt', 0.25, 2, 4],
    ])
  })

  test('dominance: shares of the whole market, by the observation nearest to the end of the day', async () => {
    const found = await rows(
      `SELECT close_of_date::VARCHAR, share_of_market, hour(total_observed_at AT TIME ZONE 'UTC')::INTEGER
       FROM dominance WHERE coin_id = 'amp' ORDER BY close_of_date`,
    )
    expect(found).toEqual([
      ['2024-03-01', 3 / 8, 1],
      ['2024-03-02', 3 / 6, 23],
    ])
  })

  test.each([
    [
      '3 hours',
      [21, 9, 19, 40, 17, 40, 3, false],
      [0, 10, 40, 40, 39, 39, 1, false],
      [3, 10, 36, 36, 35, 35, 1, true],
    ],
    ['1 day', [0, 9, 19, 40, 17, 40, 3, false], [0, 10, 40, 40, 35, 35, 2, true]],
    ['1 month', [0, 31, 19, 40, 17, 35, 5, true]],
  ])(
    'candles of %s: from the price at the start to the one at the end',
    async (width, ...expected) => {
      const found = await rows(
        `SELECT hour(bucket_at AT TIME ZONE 'UTC')::INTEGER, day(close_of_date)::INTEGER, open, high, low, close,
         covered_hours::INTEGER, is_provisional
       FROM candles(INTERVAL '${width}') WHERE coin_id = 'cord' ORDER BY bucket_at`,
      )
      expect(found).toEqual(expected)
    },
  )

  test('the close of a day is one value in prices and candles', async () => {
    const found = await rows(
      `SELECT close_of_date::VARCHAR, price, close FROM daily_prices
       JOIN candles(INTERVAL 1 DAY) USING (coin_id, vs_currency, close_of_date)`,
    )
    expect(found).toEqual([['2024-03-09', 40, 40]])
  })

  test.each(['INTERVAL 30 MINUTES', 'INTERVAL 0 HOURS', 'INTERVAL 90 MINUTES'])(
    'candles of %s are refused: the points are hourly',
    async (width) => {
      await expect(rows(`FROM candles(${width})`)).rejects.toThrow('the width must be whole hours')
    },
  )

  test('bucket_date still says in each view what it said before', async () => {
    const found = await rows(
      `SELECT DISTINCT daily_prices.bucket_date - close_of_date, returns.bucket_date - close_of_date,
         volatility.bucket_date - close_of_date, (SELECT DISTINCT bucket_date - close_of_date FROM daily_ohlc)
       FROM daily_prices JOIN returns USING (coin_id, vs_currency, close_of_date)
       JOIN volatility USING (coin_id, vs_currency, close_of_date)`,
    )
    expect(found).toEqual([['1', '1', '1', '0']])
  })

  test('volume_by_exchange leaves out what is stale or an anomaly, and says how many', async () => {
    const found = await rows(
      `SELECT exchange_id, observed_date::VARCHAR, pairs::INTEGER, left_out::INTEGER, volume_24h_usd,
         volume_24h_btc, median_spread_percent FROM volume_by_exchange`,
    )
    expect(found).toEqual([['kraken', '2024-06-01', 3, 2, 30, 3, 0.2]])
  })

  test('cross_rates: any currency in any other, NULL where one is worth nothing', async () => {
    const found = await rows(
      `SELECT hour(observed_at AT TIME ZONE 'UTC')::INTEGER, to_currency, rate FROM cross_rates
       WHERE from_currency = 'eur' ORDER BY ALL`,
    )
    // An observation knows nothing of another of the same day.
    expect(found).toEqual([
      [0, 'btc', 1 / 40000],
      [0, 'eur', 1],
      [0, 'nil', 0],
      [0, 'usd', 1.25],
      [12, 'eur', 1],
      [12, 'usd', 2],
    ])
    const nil = await rows(`SELECT DISTINCT rate FROM cross_rates WHERE from_currency = 'nil'`)
    expect(nil).toEqual([[null]])
  })
})
