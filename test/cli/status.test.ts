import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { diskUse } from '../../cli/status/disk-use.ts'
import type { WarehouseState } from '../../cli/status/warehouse-state.ts'
import { frozenClock } from '../../config/clock.ts'
import { PREPARED_NOW_MS, preparedWarehouse } from './report/prepared-warehouse.ts'
import type { PreparedWarehouse } from './report/prepared-warehouse.ts'
import { runCaptured } from './run-captured.ts'

/** Without a server of its own, nor the user's. */
function status({ dir }: PreparedWarehouse, ...argv: string[]) {
  const env = { COINLAKE_ENGINE_DIR: join(dir, 'engine'), COINLAKE_ENGINE_ISOLATED: '1' }
  const clock = frozenClock(PREPARED_NOW_MS)
  return runCaptured(['status', ...argv], { cwd: dir, env, clock })
}

function want({ dir }: PreparedWarehouse, lines: string): void {
  appendFileSync(join(dir, 'coinlake.yaml'), lines)
}

test.each(['duckdb', 'parquet'] as const)(
  'says of %s how fresh it is, by the target where there is one',
  async (sink) => {
    const warehouse = await preparedWarehouse([sink])
    const usual = await status(warehouse, '--check')
    expect(usual).toMatchObject({ exitCode: 0 })
    expect(usual.stdout).toContain(
      'fresh: market_chart 1d: newest 2024-04-09 00:00Z, 29.5 h old (stale after 3.1 days)\n',
    )
    want(warehouse, 'freshness: { market_chart: 24h }\n')
    const strict = await status(warehouse, '--check')
    expect(strict.stdout).toContain(
      'stale: market_chart 1d: newest 2024-04-09 00:00Z, 29.5 h old (stale since 2024-04-10 00:00Z)\n',
    )
    expect(strict.exitCode).toBe(3)
    expect((await status(warehouse)).exitCode).toBe(0)
    const told = JSON.parse((await status(warehouse, '--json')).stdout) as WarehouseState
    expect(told.freshness).toMatchObject([
      { state: 'stale', isTarget: true, staleSince: '2024-04-10T00:00:00.000Z' },
    ])
  },
)

test('where nothing is, only what should be fresh is stale', async () => {
  const warehouse = await preparedWarehouse([], [])
  expect(await status(warehouse, '--check')).toMatchObject({ exitCode: 0 })
  want(warehouse, 'freshness: { market_chart: 2h }\n')
  const told = await status(warehouse, '--check')
  expect(told.stdout).toContain('stale: market_chart 1d: nothing is published\n')
  expect(told.exitCode).toBe(3)
})

test('a publication that cannot be read is told, and is not fresh', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  rmSync(warehouse.paths.duckdbLink)
  writeFileSync(warehouse.paths.duckdbLink, 'no DuckDB file')
  const told = await status(warehouse)
  expect(told.exitCode).toBe(0)
  expect(told.stdout).toMatch(/^freshness cannot be told: .*coinlake\.duckdb/m)
  expect((await status(warehouse, '--check')).exitCode).toBe(3)
})

test('disk use is measured, and says so where it was not counted to the end', async () => {
  const warehouse = await preparedWarehouse(['duckdb', 'parquet'])
  const { paths } = warehouse
  const page = join(paths.stageDir, 'pages', 'ab', 'slice', 's0p1.raw.zst')
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, Buffer.alloc(1_234_567))
  const use = await diskUse(paths, 60_000)
  expect(use).toMatchObject({ stageBytes: 1_234_567, isWhole: true })
  expect(use?.storeBytes).toBeGreaterThan(100_000)
  expect(use?.duckdbBytes).toBeGreaterThan(100_000)
  expect(use?.parquetBytes).toBeGreaterThan(1_000)
  expect(use?.freeBytes).toBeGreaterThan(0)
  expect((await status(warehouse)).stdout).toMatch(/^disk: store .* MB, stage (at least )?1\.2 MB/m)
  expect(await diskUse(paths, -1)).toMatchObject({ stageBytes: 0, isWhole: false })
  rmSync(paths.root, { recursive: true })
  expect(await diskUse(paths)).toBeNull()
})
