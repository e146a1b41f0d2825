import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import type { TableSpec } from '../../datasets/dataset.ts'
import { MARKET_CHART } from '../../datasets/market-chart.ts'
import { OHLC } from '../../datasets/ohlc.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { movableClock, openWarehouse, type Warehouse } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'
import { APRIL_MARKET, APRIL_MS, openMarketWarehouse } from '../parts/market-warehouse.ts'
import { countsOf, tableHash } from '../parts/table-hashes.ts'

const COINS = ['bitcoin', 'ethereum']
const GRANULARITIES = { hourly: '1h', daily: '1d' } as const
type Aliased = keyof typeof GRANULARITIES

/** Ranges in the order they are asked for, with the calls a coin may cost, counted by hand. */
const STEPS = [
  { what: 'February', from: '2024-02-01', to: '2024-03-01', hourly: 1, daily: 1 },
  { what: 'the months around it', from: '2024-01-01', to: '2024-04-01', hourly: 2, daily: 2 },
  // 365 days of hours are four requests of 90 days and one of 5.
  { what: 'the year before', from: '2023-01-01', to: '2024-04-01', hourly: 5, daily: 1 },
  { what: 'one day more', from: '2023-01-01', to: '2024-04-02', hourly: 1, daily: 1 },
  { what: 'the same again', from: '2023-01-01', to: '2024-04-02', hourly: 0, daily: 0 },
]
const WHOLE = STEPS.at(-1)!
const DAYS = 470

async function backfill(warehouse: Warehouse, granularity: Aliased, range: typeof WHOLE) {
  const { report, requests } = await warehouse.export([
    `market_chart: { coins: [${COINS.join(', ')}], granularity: ${granularity}, from: ${range.from}, to: ${range.to} }`,
  ])
  expect(report).toMatchObject({ verdict: 'complete', calls: requests.length })
  for (const { duplicate } of report.datasets) expect(duplicate).toBe(0)
  return requests
}

/** A table of every place a warehouse has it in, by granularity. */
async function hashesOf(
  connection: DuckDBConnection,
  { paths }: Warehouse,
  table: TableSpec,
  granularities: readonly string[],
) {
  await connection.run(`ATTACH '${paths.storeFile}' AS store (READ_ONLY)`)
  await connection.run(`ATTACH '${paths.duckdbLink}' AS published (READ_ONLY)`)
  const places = {
    store: `store.${table.name}`,
    duckdb: `published.${table.name}`,
    parquet: `read_parquet('${paths.parquetLink}/${table.name}/*.parquet')`,
  }
  const hashes: Record<string, string> = {}
  for (const [place, relation] of Object.entries(places)) {
    for (const granularity of granularities) {
      const rows = `(FROM ${relation} WHERE granularity = '${granularity}')`
      hashes[`${place} ${granularity}`] = await tableHash(connection, table, rows)
    }
  }
  const revisions = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM store._revisions')
  expect(revisions.getRowsJS()).toEqual([[0]])
  await connection.run('DETACH store')
  await connection.run('DETACH published')
  return hashes
}

/** The facts of a tiny market of these coins, so that more days of it have the same past. */
const CHANGES = { coins: COINS.length, dailyDays: DAYS, hourlyDays: DAYS }

/** Hourly and daily in one warehouse, widened in turn, must become what one backfill makes at once. */
test('a widened range fetches what is missing and ends as one backfill of the whole', async () => {
  const {
    clock,
    market,
    served,
    warehouse: widened,
  } = await openMarketWarehouse({ ...CHANGES, moving: false })
  for (const step of STEPS) {
    for (const granularity of ['hourly', 'daily'] as const) {
      const requests = await backfill(widened, granularity, step)
      expect(requests.length, `${granularity}: ${step.what}`).toBe(step[granularity] * COINS.length)
    }
  }
  const atOnce = openWarehouse(served, clock)
  for (const granularity of ['hourly', 'daily'] as const) await backfill(atOnce, granularity, WHOLE)

  const { connection } = market
  const stored = Object.values(GRANULARITIES)
  const hashes = await hashesOf(connection, widened, MARKET_CHART, stored)
  expect(hashes).toEqual(await hashesOf(connection, atOnce, MARKET_CHART, stored))
  for (const granularity of stored) {
    const rows = `(FROM market_chart WHERE granularity = '${granularity}'
      AND ts >= '${WHOLE.from}T00:00:00Z' AND ts < '${WHOLE.to}T00:00:00Z')`
    const held = await tableHash(connection, MARKET_CHART, rows)
    const days = (Date.parse(WHOLE.to) - Date.parse(WHOLE.from)) / 86_400_000
    expect(countsOf(held).rows).toBe(days * COINS.length * (granularity === '1h' ? 24 : 1))
    for (const place of ['store', 'duckdb', 'parquet']) {
      expect(hashes[`${place} ${granularity}`]).toEqual(held)
    }
  }
})

/**
 * At the right edge a series still moves: its last point is "now" and its last candle is open. A day
 * later that point is gone from the source and must be gone from the tables, too.
 */
test('a day later the moving end is replaced, as if it had never been read', async () => {
  const laterMs = APRIL_MS + 86_400_000
  const clock = movableClock(APRIL_MS)
  const markets = [
    await holdMarket({ ...APRIL_MARKET, ...CHANGES }, clock),
    await holdMarket({ ...APRIL_MARKET, ...CHANGES, nowMs: laterMs }, clock),
  ] as const
  const current: AnswerSource = {
    clock,
    answer: (operation, params) => {
      const { source } = markets[clock.nowMs() < laterMs ? 0 : 1]
      return source.answer(operation, params)
    },
    close: async () => {
      for (const { source } of markets) await source.close()
    },
  }
  const served = await serveInTest(current)
  const range = `coins: [${COINS.join(', ')}], from: 2024-03-20, to: 2025-01-01`
  const order = [
    `market_chart: { ${range}, granularity: hourly }`,
    `ohlc: { ${range}, granularity: 4h }`,
  ]
  const followed = openWarehouse(served, clock)
  const first = await followed.export(order)
  expect(first.report.slices.provisional).toBe(2 * COINS.length)
  const { connection } = markets[1]
  const before = await hashesOf(connection, followed, MARKET_CHART, ['1h'])
  clock.set(laterMs)
  const second = await followed.export(order)
  expect(second.requests.length).toBe(2 * COINS.length)
  const atOnce = openWarehouse(served, clock)
  await atOnce.export(order)

  const lasting = await connection.runAndReadAll(
    `SELECT count(*)::DOUBLE FROM market_chart WHERE granularity = '1h'
     AND ts >= '2024-03-20T00:00:00Z' AND ts <= '${new Date(APRIL_MS).toISOString()}'`,
  )
  // One moving point a coin was there, and the later market knows nothing of it.
  expect(lasting.getRowsJS()).toEqual([[countsOf(before['store 1h']!).rows - COINS.length]])
  for (const [table, granularity] of [
    [MARKET_CHART, '1h'],
    [OHLC, '4h'],
  ] as const) {
    const hashes = await hashesOf(connection, followed, table, [granularity])
    expect(hashes).toEqual(await hashesOf(connection, atOnce, table, [granularity]))
    expect(countsOf(hashes[`store ${granularity}`]!).rows).toBeGreaterThan(COINS.length)
  }
})
