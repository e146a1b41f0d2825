import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { datasets } from '../../datasets/index.ts'
import { verifyTables } from '../../sinks/verify/verify-tables.ts'
import type { CliProcess } from '../resume/cli-process.ts'
import { reportOf } from '../resume/disturbances.ts'
import { openLake } from '../resume/lake.ts'
import { repeatedRequests, serveMarket } from '../resume/market-service.ts'
import { tableHashes } from '../resume/table-hashes.ts'
import { storeContext } from '../sinks/store/store-context.ts'
import { brakeFrom } from './parts/brake.ts'
import type { Brake } from './parts/brake.ts'
import { startS3 } from './parts/minio.ts'
import type { TestS3 } from './parts/minio.ts'
import { startPostgres } from './parts/postgres.ts'
import type { TestPostgres } from './parts/postgres.ts'
import { makeTeam, TEAM_CONCURRENCY } from './parts/team.ts'

const COINS = 8
const DATASETS = [
  'coin_markets: { every: 1d }',
  'exchange_rates: { every: 1d }',
  `market_chart: { coins: "top:${COINS}", granularity: hourly, from: 2024-03-28 }`,
  `ohlc: { coins: "top:${COINS}", granularity: 4h, from: 2024-03-28 }`,
  // A call for each day and coin: most of the run, so that it has a middle.
  `coin_history: { coins: "top:${COINS}", from: 2024-03-28 }`,
]
const SIZE = { coins: COINS, latencyMs: 10 }
/** More pages than one worker can have in its hands: both have some when they are held back. */
const OF_BOTH = TEAM_CONCURRENCY + 1
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
    const brakes = [0.35, 0.7].map((share) => brakeFrom(Math.floor(share * undisturbed.calls)))
    const [firstBrake, secondBrake] = brakes as [Brake, Brake]
    const service = await serveMarket({
      ...SIZE,
      async hold(answer) {
        for (const brake of brakes) await brake.hold(answer)
      },
    })
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
    /** Kills a worker that has pages in its hands, and proves that the run was in its middle. */
    const killAt = async (brake: Brake, worker: CliProcess): Promise<number> => {
      await brake.holds(OF_BOTH)
      worker.kill('SIGKILL')
      expect(await worker.ended).toMatchObject({ signal: 'SIGKILL' })
      const { isOpen, slices } = await team.standing()
      expect(isOpen).toBe(true)
      expect(slices['planned']).toBeGreaterThan(0)
      return slices['planned'] ?? 0
    }
    const first = await team.startWorker('a')
    const second = await team.startWorker('b')
    const backfill = team.start('a', ['backfill', '--json'], { concurrency: 4 * TEAM_CONCURRENCY })

    const leftAtFirst = await killAt(firstBrake, first)
    await team.startWorker('a')
    firstBrake.release()
    const leftAtSecond = await killAt(secondBrake, second)
    expect(leftAtSecond).toBeLessThan(leftAtFirst)
    secondBrake.release()

    const report = reportOf(await backfill.ended)
    expect(report.verdict).toBe('complete')
    expect(await team.hashes()).toEqual(undisturbed.hashes)
    const repeated = repeatedRequests(service.requests())
    expect(service.requests().length - repeated).toBe(undisturbed.calls)
    expect(repeated).toBeGreaterThan(0)
    expect(repeated).toBeLessThanOrEqual(2 * TEAM_CONCURRENCY)
    const store = await team.openStore()
    try {
      const tables = datasets.flatMap((dataset) => dataset.tables)
      expect(await verifyTables({ ...storeContext(store), datasets }, tables)).toEqual([])
    } finally {
      await store.close()
    }
  },
)
