import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningServer } from '../../engine/server/lease-server.ts'
import { repeatedRequests } from '../parts/day-market.ts'
import { openMarketLake } from '../parts/market-lake.ts'
import { tableHashes } from '../parts/table-hashes.ts'
import { reportOf } from './report-of.ts'

const COINS = 125
const SIZE = { coins: COINS, latencyMs: 100 }
const DATASETS = [
  'coin_markets: { every: 1d }',
  'exchange_rates: { every: 1d }',
  `market_chart: { coins: "top:${COINS}", granularity: hourly, from: 2024-03-28 }`,
  `ohlc: { coins: "top:${COINS}", granularity: 4h, from: 2024-03-28 }`,
]
/** A server of its own, which a test may kill. */
const OPTIONS = { engineDir: null }
const BACKFILL = ['backfill', '--json']

let undisturbed: { hashes: Record<string, string>; calls: number }

beforeAll(async () => {
  const { service, lake } = await openMarketLake(SIZE, DATASETS, OPTIONS, afterAll)
  const report = reportOf(await lake.start(BACKFILL).ended)
  const hashes = await tableHashes(lake.paths.storeFile)
  expect(hashes['market_chart']).toMatch(/^2\d{4} rows/)
  expect(repeatedRequests(service.log)).toBe(0)
  undisturbed = { hashes, calls: service.log.length }
  expect(report.calls).toBe(undisturbed.calls)
  expect(await lake.traces()).toEqual([])
})

// Kills of coinlake's own processes are those of crash-points.test.ts, which says where they hit.
test.concurrent.for(['SIGINT of the command', 'SIGKILL of the Temporal server'])(
  '%s with half loaded: complete, the same tables, no call twice',
  async (what, { onTestFinished }) => {
    const from = Math.floor(undisturbed.calls / 2)
    // Without slow answers a busy machine goes from the half to the end between two looks.
    const market = { ...SIZE, slow: { from, to: from + 30, byMs: 1_000 } }
    const { service, lake } = await openMarketLake(market, DATASETS, OPTIONS, onTestFinished)
    let run = lake.start(BACKFILL)
    const { runId } = await lake.loaded(0.5)
    expect(await lake.isRunOpen()).toBe(true)
    if (what === 'SIGINT of the command') {
      run.kill('SIGINT')
      const ended = await run.ended
      expect(ended).toMatchObject({ code: 130, signal: null, stdout: '' })
      expect(ended.stderr).toContain('stopping after the current write')
      expect(ended.stderr).toContain('stopped, fetched answers are kept; ')
      expect(ended.stderr).toContain(`go on with: coinlake backfill -c ${lake.configFile}`)
      run = lake.start(BACKFILL)
    } else {
      process.kill(runningServer(lake.engineDir)?.server.pid ?? 0, 'SIGKILL')
    }
    expect(reportOf(await run.ended, runId).verdict).toBe('complete')
    expect(await tableHashes(lake.paths.storeFile)).toEqual(undisturbed.hashes)
    expect(await tableHashes(lake.paths.duckdbLink)).toEqual(undisturbed.hashes)
    expect(repeatedRequests(service.log)).toBe(0)
    expect(service.log).toHaveLength(undisturbed.calls)
    expect(await lake.traces()).toEqual([])
  },
)
