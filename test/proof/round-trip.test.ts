import { expect, test } from 'vitest'
import { DAY_MS } from '../../api/granularity.ts'
import { frozenClock } from '../../config/clock.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { openWarehouse, PROOF_TIMEOUT_MS, serve } from './harness.ts'
import { holdMarket, TABLES } from './held-market.ts'
import { compareParquet } from './parquet-columns.ts'
import { tableHash } from './table-hash.ts'

/** On the hour, so that 90 days of hours are one request. */
const NOW_MS = Date.UTC(2024, 5, 15, 9)
const isBig = process.env['COINLAKE_TEST_BIG'] === '1'
/** All 200 coins take about a minute: by default enough to have every coin with an odd id. */
const COINS = isBig ? MARKET_PRESETS.roundtrip.coins : 30

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * W is a whole market: 400 days of daily and 90 of hourly points, 5-minute points, all candles, 20
 * exchanges with more tickers than a page holds, rates in 60 currencies. It is served, exported, and
 * found again row for row in the store and in both publications.
 */
test(`export(serve(W)) = W for ${COINS} coins`, { timeout: PROOF_TIMEOUT_MS }, async () => {
  const clock = frozenClock(NOW_MS)
  const spec = { ...MARKET_PRESETS.roundtrip, coins: COINS, seed: 11, nowMs: NOW_MS }
  const startMs = performance.now()
  const market = await holdMarket(spec, clock)
  const filledMs = performance.now()
  const warehouse = openWarehouse(await serve(market.source), clock)
  const coins = JSON.stringify(market.coinIds)
  const series = (name: string, granularity: string, days: number): string =>
    `${name}: { coins: ${coins}, granularity: ${granularity}, from: ${iso(NOW_MS - days * DAY_MS)}, to: ${iso(NOW_MS)} }`
  const listings = ['coins', 'coin_markets', 'exchanges', 'exchange_rates'].map((n) => `${n}: {}`)
  const orders = [
    [
      ...listings,
      `exchange_tickers: { exchanges: ${JSON.stringify(market.exchangeIds)} }`,
      series('market_chart', 'daily', spec.dailyDays),
      series('ohlc', '4d', 365),
    ],
    [series('market_chart', 'hourly', spec.hourlyDays), series('ohlc', '4h', 30)],
    [series('market_chart', '5m', 1), series('ohlc', '30m', 1)],
  ]
  let calls = 0
  for (const order of orders) {
    const { report, requests } = await warehouse.export(order)
    expect(report).toMatchObject({ verdict: 'complete', failures: [] })
    expect(requests.filter(({ status }) => status !== 200)).toEqual([])
    calls += requests.length
  }
  const exportedMs = performance.now()

  const { connection } = market
  const { storeFile, duckdbLink, parquetDir } = warehouse.paths
  await connection.run(`ATTACH '${storeFile}' AS store (READ_ONLY)`)
  await connection.run(`ATTACH '${duckdbLink}' AS published (READ_ONLY)`)
  let [rows, values] = [0, 0]
  for (const table of TABLES) {
    const held = await tableHash(connection, table, table.name)
    expect(held.rows, table.name).toBeGreaterThan(0)
    for (const place of ['store', 'published']) {
      const found = await tableHash(connection, table, `${place}.${table.name}`)
      expect(found, `${table.name} in ${place}`).toEqual(held)
    }
    const tree = await compareParquet(connection, table, parquetDir)
    expect(tree.differences).toEqual([])
    expect(tree.rows, `${table.name} in Parquet`).toBe(held.rows)
    rows += held.rows
    values += tree.values
  }
  const seconds = (fromMs: number, toMs: number): string => ((toMs - fromMs) / 1000).toFixed(1)
  console.log(
    `round trip of ${rows} rows in ${calls} calls: fill ${seconds(startMs, filledMs)} s, export ` +
      `${seconds(filledMs, exportedMs)} s, compare ${seconds(exportedMs, performance.now())} s; ` +
      `${values} values read from Parquet by hyparquet`,
  )
})
