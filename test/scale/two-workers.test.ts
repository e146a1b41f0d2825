import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { datasets } from '../../datasets/index.ts'
import { verifyTables } from '../../sinks/verify/verify-tables.ts'
import { reportOf } from '../resume/disturbances.ts'
import { openLake } from '../resume/lake.ts'
import { repeatedRequests, serveMarket } from '../resume/market-service.ts'
import { tableHashes } from '../resume/table-hashes.ts'
import { storeContext } from '../sinks/store/store-context.ts'
import { startS3 } from './parts/minio.ts'
import type { TestS3 } from './parts/minio.ts'
import { startPostgres } from './parts/postgres.ts'
import type { TestPostgres } from './parts/postgres.ts'
import { makeTeam } from './parts/team.ts'

const COINS = 16
const DATASETS = [
  'coin_markets: { every: 1d }',
  'exchange_rates: { every: 1d }',
  `market_chart: { coins: "top:${COINS}", granularity: hourly, from: 2024-03-28 }`,
  `ohlc: { coins: "top:${COINS}", granularity: 4h, from: 2024-03-28 }`,
]
const SIZE = { coins: COINS, latencyMs: 100 }
/** Pages that a worker may have in flight when it is killed. */
const IN_FLIGHT = 8
const TIMEOUT_MS = 1_800_000

let postgres: TestPostgres
let s3: TestS3
let undisturbed: { hashes: Record<string, string>; calls: number }

beforeAll(async () => {
  postgres = await startPostgres()
  s3 = await startS3()
  Object.assign(process.env, s3.env)
  const service = await serveMarket(SIZE)
  const lake = openLake(service.url, DATASETS, { sinks: ['duckdb'] })
  try {
    const report = reportOf(await lake.start(['backfill', '--json']).ended)
    expect(report.verdict).toBe('complete')
    const hashes = await tableHashes(lake.paths.storeFile)
    undisturbed = { hashes, calls: service.requests().length }
  } finally {
    await lake.remove()
    await service.close()
  }
}, TIMEOUT_MS)

afterAll(async () => {
  await postgres.remove()
  await s3.remove()
})

test(
  'two workers, each killed once: the same tables as one that nobody disturbed',
  { timeout: TIMEOUT_MS },
  async ({ onTestFinished }) => {
    const service = await serveMarket({ ...SIZE, latencyMs: 500 })
    onTestFinished(() => service.close())
    const team = makeTeam({
      sourceUrl: service.url,
      lake: {
        catalog: postgres.makeCatalog('two_workers'),
        data: `s3://${s3.bucket}/rows`,
        extensionDir: inject('extensions'),
      },
      stageAt: `s3://${s3.bucket}/stage`,
      env: s3.env,
      datasetLines: DATASETS,
      temporal: inject('temporal'),
    })
    onTestFinished(() => team.remove())
    const first = await team.startWorker('a')
    const second = await team.startWorker('b')
    const backfill = team.start('a', ['backfill', '--json'])

    await team.loaded(0.2)
    first.kill('SIGKILL')
    await first.ended
    await team.loaded(0.4)
    await team.startWorker('a')
    await team.loaded(0.6)
    second.kill('SIGKILL')
    await second.ended

    const report = reportOf(await backfill.ended)
    expect(report.verdict).toBe('complete')
    expect(await team.hashes()).toEqual(undisturbed.hashes)
    const repeated = repeatedRequests(service.requests())
    expect(service.requests().length - repeated).toBe(undisturbed.calls)
    expect(repeated).toBeLessThanOrEqual(2 * IN_FLIGHT)
    const store = await team.openStore()
    try {
      const tables = datasets.flatMap((dataset) => dataset.tables)
      expect(await verifyTables({ ...storeContext(store), datasets }, tables)).toEqual([])
    } finally {
      await store.close()
    }
  },
)
