import pLimit from 'p-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disturbances, reportOf } from './disturbances.ts'
import { repeatedRequests } from '../parts/day-market.ts'
import { openMarketLake } from '../parts/market-lake.ts'
import { tableHashes } from '../parts/table-hashes.ts'

const COINS = 125
const LATENCY_MS = 100
const DATASETS = [
  'coin_markets: { every: 1d }',
  'exchange_rates: { every: 1d }',
  `market_chart: { coins: "top:${COINS}", granularity: hourly, from: 2024-03-28 }`,
  `ohlc: { coins: "top:${COINS}", granularity: 4h, from: 2024-03-28 }`,
]
/** Runs at once. More of them on 2 cores make each other's heartbeats late. */
const AT_ONCE = 2

const size = { coins: COINS, latencyMs: LATENCY_MS }
/** The answers after a share, slower: without them a busy machine goes from 0.8 to the end between two looks. */
const SLOW = { share: 0.12, byMs: 1_000 }
const limit = pLimit(AT_ONCE)
let undisturbed: { hashes: Record<string, string>; calls: number }

beforeAll(async () => {
  const { service, lake } = await openMarketLake(size, DATASETS, { engineDir: null }, afterAll)
  const report = reportOf(await lake.start(['backfill', '--json']).ended)
  const hashes = await tableHashes(lake.paths.storeFile)
  expect(hashes['market_chart']).toMatch(/^2\d{4} rows/)
  expect(repeatedRequests(service.log)).toBe(0)
  undisturbed = { hashes, calls: service.log.length }
  expect(report.calls).toBe(undisturbed.calls)
  expect(await lake.traces()).toEqual([])
})

/** Shares loaded; 0.88 because loads of whole batches jump over 0.9 to the end. */
const SHARES = [0.1, 0.5, 0.88]
/** `npm test` leaves kills of coinlake's own processes to crash-points.test.ts, which says where they hit. */
const isBig = process.env['COINLAKE_TEST_BIG'] === '1'
const cells = disturbances.flatMap((disturbance, row) =>
  SHARES.filter((_, column) => isBig || (!disturbance.isCrash && (row + column) % 2 === 0)).map(
    (share) => ({
      ...disturbance,
      share,
      percent: Math.round(share * 100),
    }),
  ),
)

test.concurrent.for(cells)(
  '$what at $percent % loaded: complete, the same tables, no call too many',
  (cell, { expect: expectHere, onTestFinished }) =>
    limit(async () => {
      const [from, to] = [cell.share, cell.share + SLOW.share].map((share) =>
        Math.floor(share * undisturbed.calls),
      ) as [number, number]
      const market = { ...size, slow: { from, to, byMs: SLOW.byMs } }
      const options = { engineDir: null }
      const { service, lake } = await openMarketLake(market, DATASETS, options, onTestFinished)
      const report = await cell.run(lake, cell.share)
      expectHere(report.verdict).toBe('complete')
      expectHere(await tableHashes(lake.paths.storeFile)).toEqual(undisturbed.hashes)
      expectHere(await tableHashes(lake.paths.duckdbLink)).toEqual(undisturbed.hashes)
      const repeated = repeatedRequests(service.log)
      expectHere(service.log.length - repeated).toBe(undisturbed.calls)
      expectHere(repeated).toBeLessThanOrEqual(cell.mayRepeat)
      expect(await lake.traces()).toEqual([])
    }),
)
