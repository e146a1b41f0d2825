import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openTree } from '../../cli/query/open-tree.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import { allTables } from '../../datasets/index.ts'
import type { CompactReport } from '../../sinks/duckdb-store/lake/compact-lake.ts'
import type { CliProcess } from '../parts/cli-process.ts'
import { reportOf } from '../resume/report-of.ts'
import { openLake } from '../parts/lake.ts'
import { repeatedRequests, serveMarket } from '../parts/day-market.ts'
import { tableHash, tableHashes } from '../parts/table-hashes.ts'
import { type Brake, brakeFrom } from './parts/brake.ts'
import { s3OfFile } from './parts/minio.ts'
import { startPostgres } from './parts/postgres.ts'
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
const LOOK_EVERY_MS = 500
const TIMEOUT_MS = 1_800_000

const postgres = await startPostgres()
const s3 = await s3OfFile()
let undisturbed: { hashes: Record<string, string>; calls: number }

beforeAll(async () => {
  const service = await serveMarket(SIZE)
  const lake = openLake(service.url, DATASETS, { sinks: ['duckdb'] })
  try {
    const report = reportOf(await lake.start(['backfill', '--json']).ended)
    expect(report.verdict).toBe('complete')
    const hashes = await tableHashes(lake.paths.storeFile)
    undisturbed = { hashes, calls: service.log.length }
  } finally {
    await lake.remove()
    await service.close()
  }
}, TIMEOUT_MS)

test(
  'two workers, each killed once: the same tables as one that nobody disturbed',
  { timeout: TIMEOUT_MS },
  async () => {
    const brakes = [0.35, 0.7].map((share) => brakeFrom(Math.floor(share * undisturbed.calls)))
    const [firstBrake, secondBrake] = brakes as [Brake, Brake]
    const tree = `s3://${s3.bucket}/tree`
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
      configLines: ['sinks: [parquet]', `parquet: { at: ${tree} }`],
      temporal: inject('temporal'),
    })
    /** Kills a worker that has pages in its hands, and proves that the run was in its middle. */
    const killAt = async (brake: Brake, worker: CliProcess, leftBefore = Infinity) => {
      await brake.holds(OF_BOTH)
      // Slices fetched until then are being loaded: the next kill is to find the run further on.
      while (((await team.standing()).slices['planned'] ?? 0) >= leftBefore)
        await sleep(LOOK_EVERY_MS)
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
    const leftAtSecond = await killAt(secondBrake, second, leftAtFirst)
    expect(leftAtSecond).toBeLessThan(leftAtFirst)
    secondBrake.release()

    const report = reportOf(await backfill.ended)
    expect(report.verdict).toBe('complete')
    expect(await team.hashes()).toEqual(undisturbed.hashes)
    const repeated = repeatedRequests(service.log)
    expect(service.log.length - repeated).toBe(undisturbed.calls)
    expect(repeated).toBeGreaterThan(0)
    expect(repeated).toBeLessThanOrEqual(2 * TEAM_CONCURRENCY)
    expect(await publishedHashes(tree)).toEqual(undisturbed.hashes)

    const command = async (...words: string[]) => {
      const { code, stdout, stderr } = await team.start('c', words).ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
      return stdout
    }
    const verified = JSON.parse(await command('verify', '--json')) as Record<string, unknown>
    expect(verified).toMatchObject({ ok: true, places: ['store', 'parquet'], differences: [] })
    const sql = 'SELECT count(DISTINCT coin_id) AS n FROM daily_prices'
    expect(await command('query', sql, '--format', 'csv')).toMatch(/^n\n[1-9]\d*\n$/)
    // A worker goes on beside it.
    const pruned = JSON.parse(await command('prune', '--compact', '--json')) as {
      compacted: CompactReport
    }
    expect(pruned.compacted.merged).toBeGreaterThan(pruned.compacted.into)
    expect(await team.hashes()).toEqual(undisturbed.hashes)
  },
)

/** The same as tableHashes for what a bucket publishes. */
async function publishedHashes(place: string): Promise<Record<string, string>> {
  const parquetBucket = { place, extensionDir: inject('extensions') }
  const instance = await openTree({ ...warehousePaths('none'), parquetBucket })
  if (instance === null) throw new Error(`nothing is published in ${place}`)
  const connection = await instance.connect()
  try {
    const hashes: Record<string, string> = {}
    for (const table of allTables) {
      hashes[table.name] = await tableHash(connection, table, table.name)
    }
    return hashes
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
