import {
  appendFileSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { diskUse } from '../../../cli/status/disk-use.ts'
import { diskLine } from '../../../cli/status/state-lines.ts'
import type { WarehouseState } from '../../../cli/status/warehouse-state.ts'
import { frozenClock } from '../../../config/clock.ts'
import { PREPARED_NOW_MS, preparedWarehouse } from '../../parts/prepared-warehouse.ts'
import type { PreparedWarehouse } from '../../parts/prepared-warehouse.ts'
import { runCaptured } from '../../parts/run-captured.ts'

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
    expect(usual).toMatchObject({ exitCode: 3 })
    // The close of the 9th is missing, which the source has had for five hours.
    expect(usual.stdout).toContain(
      'stale: market_chart 1d: newest 2024-04-09 00:00Z, 29.5 h old (stale since 2024-04-10 01:40Z)\n',
    )
    const patient = await preparedWarehouse([sink])
    want(patient, 'freshness: { market_chart: 30h }\n')
    expect(await status(patient, '--check')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('fresh: market_chart 1d: newest 2024-04-09 00:00Z') as string,
    })
    const stall = {
      runId: 'r1',
      since: 'noon',
      code: 'NO_ROOM',
      reason: 'full',
      hint: 'Free some.',
    }
    const note = join(patient.paths.stateDir, 'stalled.json')
    mkdirSync(dirname(note), { recursive: true })
    writeFileSync(note, JSON.stringify({ seenAt: new Date().toISOString(), stalls: [stall] }))
    expect(await status(patient, '--check')).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('run r1 stands still since noon: full. Free some.') as string,
    })
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

test('where nothing is, the check fails and says so; a look does not', async () => {
  const warehouse = await preparedWarehouse([], [])
  const look = await status(warehouse)
  expect(look.exitCode).toBe(0)
  expect(look.stdout).not.toContain('market_chart')
  const told = await status(warehouse, '--check')
  expect(told.stdout).toContain('missing: market_chart 1d: nothing is published\n')
  expect(told.exitCode).toBe(3)
  // A folder that is written wrongly is not there either.
  rmSync(warehouse.paths.root, { recursive: true })
  expect((await status(warehouse, '--check')).exitCode).toBe(3)
  want(warehouse, 'freshness: { market_chart: 2h }\n')
  const strict = await status(warehouse, '--check')
  expect(strict.stdout).toContain('stale: market_chart 1d: nothing is published\n')
  expect(strict.exitCode).toBe(3)
})

test('a store without reports, as a restored one is, sends to the ledger for its runs', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  rmSync(warehouse.paths.runsDir, { recursive: true })
  const { stderr } = await status(warehouse)
  expect(stderr).toBe(
    `no report of a run is in ${warehouse.paths.runsDir}: \`coinlake runs\` has the runs of the ledger\n`,
  )
})

test('one dataset without a row fails the check, unless the source has none', async () => {
  const statement = (
    state: string,
    entity = 'bitcoin',
    granularity = '1d',
  ) => `INSERT INTO _slices BY NAME SELECT 'r1' AS run_id, 0 AS generation, 'market_chart' AS dataset,
    '${entity}' AS entity, 'usd' AS vs_currency, '${granularity}' AS granularity, 0 AS ordinal, 's0' AS slice_id, '${state}' AS state,
    1 AS pages, 1 AS calls, 0 AS row_count, 0 AS quarantined, TIMESTAMPTZ '2024-04-10 05:00:00+00' AS updated_at,
    TIMESTAMPTZ '2024-04-10 05:00:00+00' AS planned_at,
    TIMESTAMPTZ '2024-04-01 00:00:00+00' AS from_at, TIMESTAMPTZ '2024-04-10 00:00:00+00' AS to_at`
  const look = async (...words: Parameters<typeof statement>) =>
    status(await preparedWarehouse(['duckdb'], [statement(...words)]), '--check')
  // Neither a slice that failed nor an empty one of another order says that the source has none.
  const others: Parameters<typeof statement>[] = [
    ['failed'],
    ['empty', 'ethereum'],
    ['empty', 'bitcoin', '1h'],
  ]
  for (const words of others) {
    const missing = await look(...words)
    expect(missing.stdout).toContain('missing: market_chart 1d: nothing is published\n')
    expect(missing.exitCode).toBe(3)
  }
  const empty = await look('empty')
  expect(empty.stdout).toContain('empty: market_chart 1d: the source has nothing\n')
  expect(empty.exitCode).toBe(0)
})

test('a publication that cannot be read is told, and is not fresh', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  rmSync(warehouse.paths.duckdbLink)
  writeFileSync(warehouse.paths.duckdbLink, 'no DuckDB file')
  const told = await status(warehouse)
  expect(told.exitCode).toBe(0)
  expect(told.stdout).toMatch(/^freshness is not known: .*coinlake\.duckdb/m)
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
  expect((await status(warehouse)).stdout).toMatch(
    /^disk: store .* MB, (stage|stage at least) 1\.2 MB/m,
  )
  // A stage in a bucket is not on this disk.
  expect(diskLine({ ...use!, stageBytes: 0 })).toMatch(/store [^,]* MB, published/)
  const uncounted = await diskUse(paths, -1)
  expect(uncounted).toMatchObject({ stageBytes: 0, isWhole: false })
  expect(diskLine(uncounted!)).toContain('stage at least 0 B')
  rmSync(paths.root, { recursive: true })
  expect(await diskUse(paths)).toBeNull()
})

test('a file of the tree counts once, in however many versions it is, and in the folder of an older coinlake', async () => {
  const { paths } = await preparedWarehouse(['parquet'])
  const before = await diskUse(paths, 60_000)
  const file = join(paths.parquetLink, 'market_chart', 'linked.parquet')
  writeFileSync(file, Buffer.alloc(500_000))
  for (const name of ['8', '9']) {
    const version = join(paths.parquetVersionsDir, name)
    mkdirSync(version, { recursive: true })
    linkSync(file, join(version, 'linked.parquet'))
  }
  const after = await diskUse(paths, 60_000)
  expect(after!.parquetBytes - before!.parquetBytes).toBe(500_000)
  // Two files of the same size are two, a copy of the file too.
  copyFileSync(file, join(paths.parquetLink, 'market_chart', 'copied.parquet'))
  const copied = await diskUse(paths, 60_000)
  expect(copied!.parquetBytes - after!.parquetBytes).toBe(500_000)
  rmSync(paths.parquetLink)
  renameSync(join(paths.parquetVersionsDir, '1'), paths.parquetLink)
  expect(await diskUse(paths, 60_000)).toMatchObject({ parquetBytes: copied!.parquetBytes })
})
