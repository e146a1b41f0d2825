import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import type { Dataset } from '../../datasets/dataset.ts'
import { allTables, datasets } from '../../datasets/index.ts'
import { MARKET_PRESETS, type MarketSpec } from '../../service/market/market-spec.ts'
import { createMarket } from '../../service/market/market.ts'
import { movableClock, openWarehouse } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'
import { orderLine, type OrderWindow } from './market-orders.ts'
import { countsOf, tableHash, tableHashes } from '../parts/table-hashes.ts'

/** On the hour, so that 90 days of hours are one request. */
const NOW_MS = Date.UTC(2024, 5, 15, 9)
const isBig = process.env['COINLAKE_TEST_BIG'] === '1'
/** All 200 coins take about a minute; the default is enough for every known coin with an unusual id. */
const COINS = isBig ? MARKET_PRESETS.roundtrip.coins : 24

/** Each listing is exported on this many days. */
const LOOKS = 2

/** How far back each series is held, by dataset and granularity. */
function windowsOf(dataset: Dataset, spec: MarketSpec): OrderWindow[] {
  if (dataset.kind === 'dated') return [{ granularity: '', days: spec.historyDays ?? 0 }]
  const days: Partial<Record<string, number>> = {
    '5m': 1,
    '10m': 1,
    '30m': 1,
    '1h': spec.hourlyDays,
    '4h': 30,
    '1d': spec.dailyDays,
    '4d': 365,
  }
  return dataset.granularities.map((granularity) => ({ granularity, days: days[granularity]! }))
}

/**
 * W is a whole market:
 *
 * - 400 days of daily and 90 days of hourly points, 5-minute points, all candles;
 * - 20 exchanges with more tickers than a page has, rates in 60 currencies;
 * - details with all their children, contracts with their charts, every listing on two days.
 *
 * The test serves W at the time of each listing and exports it. Store and publications must have the same rows.
 */
test(`export(serve(W)) = W for ${COINS} coins`, async () => {
  const clock = movableClock(NOW_MS)
  const spec = {
    ...MARKET_PRESETS.roundtrip,
    coins: COINS,
    seed: 11,
    nowMs: NOW_MS,
    observations: LOOKS,
  }
  const startMs = performance.now()
  const market = await holdMarket(spec, clock)
  const filledMs = performance.now()
  const warehouse = openWarehouse(await serveInTest(market.source), clock)
  let calls = 0
  const exportAll = async (lines: readonly string[]): Promise<void> => {
    const { report, requests } = await warehouse.export(lines)
    expect(report).toMatchObject({ verdict: 'complete', failures: [] })
    expect(requests.filter(({ status }) => status !== 200)).toEqual([])
    calls += requests.length
  }

  const described = createMarket(spec)
  const isListing = ({ kind }: Dataset): boolean => kind === 'snapshot' || kind === 'catalogue'
  const listings = datasets.filter(isListing).map((dataset) => orderLine(dataset, described))
  for (let look = LOOKS - 1; look >= 0; look--) {
    clock.set(NOW_MS - look * DAY_MS)
    await exportAll(listings)
  }
  // A section of coinlake.yaml holds one granularity, so each further one is exported in a later round.
  const series = datasets
    .filter((dataset) => !isListing(dataset))
    .map((dataset) =>
      windowsOf(dataset, spec).map((window) => orderLine(dataset, described, window)),
    )
  const rounds = Math.max(...series.map((lines) => lines.length))
  for (let round = 0; round < rounds; round++) {
    await exportAll(series.flatMap((lines) => lines.slice(round, round + 1)))
  }
  const exportedMs = performance.now()

  const { connection } = market
  const { storeFile, duckdbLink } = warehouse.paths
  await connection.run(`ATTACH '${storeFile}' AS store (READ_ONLY)`)
  await connection.run(`ATTACH '${duckdbLink}' AS published (READ_ONLY)`)
  const tree = await tableHashes(warehouse.paths)
  let rows = 0
  for (const table of allTables) {
    const held = await tableHash(connection, table, table.name)
    const { rows: count } = countsOf(held)
    expect(count, table.name).toBeGreaterThan(0)
    for (const place of ['store', 'published']) {
      const found = await tableHash(connection, table, `${place}.${table.name}`)
      expect(found, `${table.name} in ${place}`).toEqual(held)
    }
    expect(tree[table.name], `${table.name} in Parquet`).toBe(held)
    rows += count
  }
  const seconds = (fromMs: number, toMs: number): string => ((toMs - fromMs) / 1000).toFixed(1)
  console.log(
    `round trip of ${rows} rows in ${calls} calls: fill ${seconds(startMs, filledMs)} s, export ` +
      `${seconds(filledMs, exportedMs)} s, compare ${seconds(exportedMs, performance.now())} s`,
  )
})
