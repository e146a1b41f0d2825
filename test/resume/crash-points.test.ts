import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { beforeAll, expect, test } from 'vitest'
import { reportOf } from './disturbances.ts'
import { openLake } from './lake.ts'
import type { Lake } from './lake.ts'
import { repeatedRequests, serveMarket } from './market-service.ts'
import { tableHashes } from './table-hashes.ts'

/** Few slices, but more than one load: a lane loads what it has when it ends. */
const DATASETS = [
  'coins: { every: 1d }',
  'coin_markets: { every: 1d }',
  'exchange_tickers: { exchanges: [binance, kraken], every: 1d }',
  'market_chart: { coins: "top:5", granularity: hourly, from: 2024-03-28 }',
  'ohlc: { coins: "top:5", granularity: 4h, from: 2024-03-28 }',
]
/** Runs at once: each waits mostly for the heartbeat of the process that was killed. */
const AT_ONCE = 4
const TIMEOUT_MS = 600_000

/** What one process has under way at most. Once all is loaded, nothing may be asked twice. */
const IN_FLIGHT = 4

const POINTS = [
  { at: 'permit.after:3', mayRepeat: IN_FLIGHT, isBig: true },
  { at: 'body.after:3', mayRepeat: IN_FLIGHT, isBig: true },
  { at: 'stage.rename.before:3', mayRepeat: IN_FLIGHT },
  { at: 'stage.rename.after:3', mayRepeat: IN_FLIGHT, isBig: true },
  { at: 'load.rows.after', mayRepeat: IN_FLIGHT },
  { at: 'load.commit.before', mayRepeat: IN_FLIGHT },
  { at: 'load.commit.after', mayRepeat: IN_FLIGHT },
  { at: 'publish.build.after', mayRepeat: 0, isBig: true },
  { at: 'publish.rename.before', mayRepeat: 0 },
  { at: 'publish.rename.after', mayRepeat: 0 },
].filter(({ isBig = false }) => !isBig || process.env['COINLAKE_TEST_BIG'] === '1')

const SIZE = { coins: 5, latencyMs: 20 }
const limit = pLimit(AT_ONCE)
let undisturbed: Record<string, string>

beforeAll(async () => {
  const service = await serveMarket(SIZE)
  const lake = openLake(service.url, DATASETS)
  try {
    reportOf(await lake.start(['backfill', '--json']).ended)
    expect(repeatedRequests(service.requests())).toBe(0)
    undisturbed = await tableHashes(lake.paths.storeFile)
    const again = reportOf(await lake.start(['backfill', '--json']).ended)
    expect(again).toMatchObject({ verdict: 'complete', calls: 0, rows: 0 })
  } finally {
    await lake.remove()
    await service.close()
  }
}, TIMEOUT_MS)

test.concurrent.for(POINTS)(
  'killed at $at: the same command again completes the same tables',
  { timeout: TIMEOUT_MS },
  ({ at, mayRepeat }, { expect: expectHere, onTestFinished }) =>
    limit(async () => {
      const service = await serveMarket(SIZE)
      onTestFinished(() => service.close())
      const lake = openLake(service.url, DATASETS)
      // Not in a `finally`: that of a test which ran out of time is never reached.
      onTestFinished(() => lake.remove())
      await crash(lake, at)
      const report = reportOf(await lake.start(['backfill', '--json']).ended)
      expectHere(report.verdict).toBe('complete')
      expectHere(await tableHashes(lake.paths.storeFile)).toEqual(undisturbed)
      expectHere(await tableHashes(lake.paths.duckdbLink)).toEqual(undisturbed)
      expectHere(repeatedRequests(service.requests())).toBeLessThanOrEqual(mayRepeat)
      await lake.expectNoTrace()
    }),
)

/** Runs a backfill that is killed at the point, and proves that the point was reached. */
async function crash(lake: Lake, at: string): Promise<void> {
  const log = join(lake.paths.root, '..', 'crash.log')
  const run = lake.start(['backfill', '--json'], {
    COINLAKE_CRASH_AT: at,
    COINLAKE_CRASH_LOG: log,
  })
  const ended = await run.ended
  if (!existsSync(log)) throw new Error(`${at} was never reached: ${ended.stderr}${ended.stdout}`)
  expect(readFileSync(log, 'utf8')).toBe(`${at.split(':')[0]} ${run.pid}\n`)
  expect(ended).toMatchObject({ signal: 'SIGKILL', stdout: '' })
}
