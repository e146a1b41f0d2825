import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../api/granularity.ts'
import { TABLES } from '../proof/held-market.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import type { Verification } from '../../cli/verify/verify-warehouse.ts'
import { movableClock, openWarehouse, PROOF_TIMEOUT_MS, serve } from '../proof/harness.ts'
import type { Warehouse } from '../proof/harness.ts'
import { holdMarket } from '../proof/held-market.ts'
import { tableHash } from '../proof/table-hash.ts'

const NOW_MS = Date.UTC(2024, 3, 10, 5, 30)
/** No moving last points: tables are compared after calls at other times. */
const SPEC = {
  ...MARKET_PRESETS.tiny,
  dailyDays: 400,
  hourlyDays: 300,
  seed: 5,
  nowMs: NOW_MS,
  moving: false,
}
const LINES = [
  'coins: {}',
  'coin_markets: { vs_currencies: [usd] }',
  'market_chart: { coins: [bitcoin, ethereum, tether], granularity: hourly, from: 2023-07-01, to: 2024-04-01 }',
  'coin_history: { coins: [bitcoin], from: 2024-04-07 }',
]
const LONG = { timeout: PROOF_TIMEOUT_MS }

async function inStore<T>(
  { paths }: Warehouse,
  work: (connection: Awaited<ReturnType<DuckDBInstance['connect']>>) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(paths.storeFile)
  const connection = await instance.connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const hashes = (warehouse: Warehouse) =>
  inStore(warehouse, async (connection) => {
    const found: Record<string, unknown> = {}
    for (const table of TABLES) found[table.name] = await tableHash(connection, table, table.name)
    return found
  })

async function verified(warehouse: Warehouse, ...flags: string[]) {
  const { exitCode, stdout, stderr } = await warehouse.run('verify', '--json', ...flags)
  expect(stderr).toBe('')
  return { exitCode, found: JSON.parse(stdout) as Verification & { ok: boolean } }
}

test(
  'deleted rows and slices are found, and the next backfill fetches exactly them',
  LONG,
  async () => {
    const clock = movableClock(NOW_MS)
    const market = await holdMarket(SPEC, clock)
    const served = await serve(market.source)
    const warehouse = openWarehouse(served, clock)
    await warehouse.export(LINES)
    const whole = await hashes(warehouse)
    const before = await verified(warehouse)
    expect(before.found).toMatchObject({
      ok: true,
      differences: [],
      places: ['store', 'parquet', 'duckdb'],
    })
    expect(before.exitCode).toBe(0)
    const told = await warehouse.run('verify')
    expect(told.stdout).toContain('no difference: the store, the Parquet files, the published file')

    // Rows here and there, two neighbours and a slice of a day as a whole.
    const damaged = await inStore(warehouse, async (connection) => {
      await connection.run(
        `DELETE FROM market_chart WHERE hash(coin_id, ts) % 40 = 7 AND coin_id = 'bitcoin'`,
      )
      await connection.run(
        `DELETE FROM market_chart WHERE slice_id = (SELECT slice_id FROM _slices
         WHERE dataset = 'market_chart' AND entity = 'tether' ORDER BY from_at DESC LIMIT 1)`,
      )
      await connection.run(`DELETE FROM coin_history WHERE ts::DATE = DATE '2024-04-08'`)
      const reader = await connection.runAndReadAll(
        `SELECT count(*) FILTER (entity = 'bitcoin') AS slices FROM _slices WHERE dataset = 'market_chart'`,
      )
      return Number(reader.getRows()[0]?.[0]) + 2
    })
    const seen = await verified(warehouse)
    expect(seen.exitCode).toBe(1)
    const slices = new Set(seen.found.differences.map(({ sliceId }) => sliceId))
    expect(slices.size).toBe(damaged)
    expect(
      seen.found.differences.every(({ check, place }) => check === 'rows' && place === 'store'),
    ).toBe(true)
    expect(seen.found.repaired).toBeNull()

    const repaired = await verified(warehouse, '--repair')
    expect(repaired.exitCode).toBe(3)
    expect(new Set(repaired.found.repaired?.marked)).toEqual(slices)
    const gaps = await warehouse.run('gaps', '--json')
    expect(gaps.exitCode).toBe(3)
    const missing = (
      JSON.parse(gaps.stdout) as {
        intervals: {
          state: string
          reason: string
          from: string
          to: string
          dataset: string
          entity: string
        }[]
      }
    ).intervals.filter(({ state }) => state === 'missing')
    // Neighbours are one hole: all of bitcoin, the last slice of tether, a day of the history.
    expect(missing).toHaveLength(3)
    expect(missing.every(({ reason }) => reason === 'failed')).toBe(true)

    const planned = await warehouse.plan(LINES)
    const mended = await warehouse.export(LINES)
    expect(mended.report.verdict).toBe('complete')
    expect(mended.requests).toHaveLength(planned.price.calls.max)
    // 275 hourly days in calls of at most 90 days, the last slice of tether, one day.
    expect(mended.requests).toHaveLength(damaged)
    expect(await hashes(warehouse)).toEqual(whole)
    expect((await verified(warehouse)).found).toMatchObject({ ok: true })
    expect((await warehouse.run('gaps')).exitCode).toBe(0)
    expect((await warehouse.export(LINES)).requests).toEqual([])
  },
)

test('damage to the publications is named, with its file', LONG, async () => {
  const clock = movableClock(NOW_MS)
  const market = await holdMarket({ ...SPEC, hourlyDays: 10, dailyDays: 60 }, clock)
  const warehouse = openWarehouse(await serve(market.source), clock)
  const lines = ['market_chart: { coins: [bitcoin], granularity: daily, from: 2024-03-01 }']
  await warehouse.export(lines)
  const { parquetDir, duckdbLink } = warehouse.paths
  const file = join(parquetDir, 'market_chart', '2024-03.parquet')
  const sound = readFileSync(file)

  const bent = Buffer.from(sound)
  bent[100] = (bent[100] ?? 0) ^ 1
  writeFileSync(file, bent)
  const flipped = await verified(warehouse)
  expect(flipped.exitCode).toBe(1)
  expect(flipped.found.differences).toMatchObject([
    {
      place: 'parquet',
      check: 'file',
      table: 'market_chart',
      what: 'market_chart/2024-03.parquet',
    },
  ])
  appendFileSync(file, 'x')
  expect((await verified(warehouse)).found.differences[0]?.found).toBe(`${sound.length + 1} bytes`)
  rmSync(file)
  expect((await verified(warehouse)).found.differences[0]?.found).toBe('no such file')
  expect((await warehouse.run('verify')).stdout).toContain('`coinlake backfill` publishes it again')
  await warehouse.export(lines)
  expect((await verified(warehouse)).found.ok).toBe(true)

  chmodSync(duckdbLink, 0o644)
  const instance = await DuckDBInstance.create(duckdbLink)
  const connection = await instance.connect()
  await connection.run(`DELETE FROM market_chart WHERE bucket_date = DATE '2024-03-05'`)
  connection.closeSync()
  instance.closeSync()
  const written = await verified(warehouse)
  expect(written.found.differences.map(({ place, check }) => [place, check])).toEqual([
    ['duckdb', 'file'],
    ['duckdb', 'rows'],
  ])
  clock.set(NOW_MS + DAY_MS)
  await warehouse.export(lines)
  expect((await verified(warehouse)).found.ok).toBe(true)
})

test('a warehouse that is not there', async () => {
  const clock = movableClock(NOW_MS)
  const warehouse = openWarehouse({ url: 'http://127.0.0.1:9', log: [] }, clock)
  await warehouse.plan(LINES)
  const { exitCode, stderr } = await warehouse.run('verify')
  expect(stderr).toContain('error[NO_WAREHOUSE]')
  expect(exitCode).toBe(5)
})
