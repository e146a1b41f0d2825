import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stopServer } from '../parts/stop-server.ts'
import { reportOf } from './report-of.ts'
import { repeatedRequests } from '../parts/day-market.ts'
import { openMarketLake } from '../parts/market-lake.ts'
import { tableHashes } from '../parts/table-hashes.ts'
import { askDuckdb } from '../parts/duckdb.ts'

const SIZE = { coins: 40, latencyMs: 100 }
const DATASETS = ['market_chart: { coins: "top:40", granularity: hourly, from: 2024-03-28 }']
/** Most requests that one process has under way. */
const IN_FLIGHT = 4

test("Temporal's state deleted in mid-run: planned again from the ledger, what is loaded is not asked again", async () => {
  const { service, lake } = await openMarketLake(SIZE, DATASETS, { engineDir: null })
  const { lake: other } = await openMarketLake(SIZE, DATASETS)
  const first = lake.start(['backfill', '--json'])
  const { runId } = await lake.loaded(0.5)
  expect(await lake.isRunOpen()).toBe(true)
  first.kill('SIGKILL')
  await first.ended
  await stopServer(lake.engineDir)
  rmSync(lake.engineDir, { recursive: true, force: true })

  const loaded = await loadedCoins(lake.paths.storeFile)
  expect(loaded.length).toBeGreaterThan(0)
  const askedBefore = service.log.length
  const report = reportOf(await lake.start(['backfill', '--json']).ended)
  const askedAgain = service.log.slice(askedBefore).map(({ path }) => path.split('/')[3])
  expect(askedAgain.filter((coin) => loaded.includes(coin ?? ''))).toEqual([])
  expect(report.runId).not.toBe(runId)
  expect(report.slices.planned).toBeLessThan(SIZE.coins)
  expect(repeatedRequests(service.log)).toBeLessThanOrEqual(IN_FLIGHT)

  reportOf(await other.start(['backfill', '--json']).ended)
  expect(await tableHashes(lake.paths.storeFile)).toEqual(await tableHashes(other.paths.storeFile))
  expect(await lake.traces()).toEqual([])
})

/** Coins whose chart is in the store. */
async function loadedCoins(storeFile: string): Promise<string[]> {
  const sql = `SELECT entity FROM _slices WHERE state IN ('loaded', 'provisional')`
  const rows = (await askDuckdb(storeFile, sql)).getRowsJS() as [string][]
  return rows.map(([entity]) => entity)
}
