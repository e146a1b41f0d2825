import { execFileSync } from 'node:child_process'
import { cp, mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openMarketFolder } from '../parts/market-lake.ts'
import { mountSmallDisk, whyNoSmallDisk } from '../resume/small-disk.ts'
import { setStorageVersion } from '../sinks/duckdb-store/storage-version.ts'
import type { StartOptions } from '../parts/warehouse-folder.ts'
import { expectBareRefusal, expectRefusal, type Refusal, type Told, treeState } from './refusal.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import { holdFile } from '../parts/hold-file.ts'

const CHART = 'market_chart: { coins: [bitcoin], vs_currencies: [usd], from: 2024-03-20 }'
/** A run that cannot go to its end has told its steps and shown its table before the error. */
const STEPS = /^connecting to Temporal/

const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const { service, folder } = await openMarketFolder(
  { coins: 3, latencyMs: 0 },
  () => ({ env: { COINLAKE_API_KEY: 'a-key' } }),
  afterAll,
)
/** A warehouse that a backfill has filled; each test has its own copy at `warehouse`. */
const filled = join(folder.dir, 'filled')
const warehouse = join(folder.dir, 'warehouse')
const store = join(warehouse, 'state', 'store.duckdb')

beforeAll(async () => {
  configure(service.url, './filled', [CHART])
  expect(await folder.run('backfill', '--json')).toMatchObject({ exitCode: 0, stderr: '' })
})

beforeEach(async () => {
  await rm(warehouse, { recursive: true, force: true })
  // With its times: by them a publication is known.
  execFileSync('cp', ['-a', filled, warehouse])
  configure(service.url, './warehouse', [CHART])
})

/** Writes coinlake.yaml: a source that must answer within 5 s. */
function configure(sourceUrl: string, warehouse: string, datasets: readonly string[]): void {
  const source = [`base_url: "${sourceUrl}"`, 'api_key: "${COINLAKE_API_KEY}"', 'timeout: 5s']
  folder.configure({ source, warehouse, datasets })
}

/** A limit holds for a whole process, and a disk can be taken away when the process has ended. */
async function runProcess(words: readonly string[], limit?: StartOptions): Promise<Told> {
  const { code, stdout, stderr } = await folder.start(words, limit).ended
  return { exitCode: code, stdout, stderr }
}

/** Nothing is said but the one message, and nothing in the folder has changed. */
async function expectRefused(
  refusal: Omit<Refusal, 'exit'> & { exit?: number },
  ...commands: string[][]
) {
  const before = treeState(folder.dir)
  for (const words of commands) {
    const told = await folder.run(...words)
    expectBareRefusal(told, { exit: 5, ...refusal }, words.includes('--json'))
  }
  expect(treeState(folder.dir)).toEqual(before)
}

const BACKFILL = [['backfill'], ['backfill', '--json']]

async function change(sql: readonly string[]): Promise<void> {
  await askDuckdb(store, sql.join(';'))
}

test('a warehouse that is a file, or lies below one', async () => {
  await writeFile(join(folder.dir, 'file'), 'precious')
  const hint = '`warehouse:` in coinlake.yaml'
  configure(service.url, './file', [CHART])
  await expectRefused(
    { exit: 2, code: 'WAREHOUSE_IS_FILE', says: /\/file is a file, not a warehouse/, hint },
    ...BACKFILL,
    ['config', 'check'],
    ['status'],
  )
  configure(service.url, './file/below', [CHART])
  expect(await folder.run('status')).toMatchObject({ exitCode: 0 })
  const code = 'WAREHOUSE_NOT_WRITABLE'
  await expectRefused({ code, says: /file\/below .*\(a part of that path is a file/, hint }, [
    'worker',
  ])
})

test('a warehouse in a folder that cannot be written', async (context) => {
  if (isRoot && !isLinux) context.skip('root may write every folder here')
  // Root writes anywhere but into the kernel's own file systems; in /proc even the error is another.
  const places = isRoot ? ['/sys/kernel/coinlake', '/proc/coinlake'] : [join(folder.dir, 'locked')]
  if (!isRoot) await mkdir(places[0] ?? '', { mode: 0o555 })
  for (const place of places) {
    configure(service.url, join(place, 'w'), [CHART])
    const says = new RegExp(`${place}/w cannot be made or written \\(E[A-Z]+\\)`)
    const refusal = { code: 'WAREHOUSE_NOT_WRITABLE', says, hint: '`warehouse:`' }
    await expectRefused(refusal, ['backfill'])
  }
})

test('a store that another process holds: its pid and command', async () => {
  const holder = await holdFile(store)
  const command = isLinux ? holder.command : ''
  const says = new RegExp(`${store} is held by process ${holder.pid} \\(${command}`)
  await expectRefused(
    { exit: 6, code: 'STORE_LOCKED', says, hint: `${holder.pid} or end it` },
    ...BACKFILL,
    ['worker'],
  )
  // Readers never meet the lock, nor does a plan, which is made of what they see.
  const plan = await folder.run('plan', '--json')
  const note = new RegExp(`^looking at the publication of \\S+: the store ${says.source}`)
  expect(plan).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(note) })
  expect(JSON.parse(plan.stdout)).toMatchObject({ source: 'publication' })
  expect(await folder.run('verify')).toMatchObject({
    exitCode: 6,
    stdout: expect.stringMatching(/^store not checked: .*\n.*the published file/),
  })
  const counted = await folder.run('query', 'select count(*) > 0 as has_rows from market_chart')
  expect(counted).toMatchObject({ exitCode: 0, stdout: 'has_rows\ntrue\n', stderr: '' })
})

const SPOILT: [string, () => Promise<void> | void, Omit<Refusal, 'exit'>][] = [
  [
    'no DuckDB file',
    () => writeFile(store, 'no database\n'.repeat(1_000)),
    { code: 'STORE_NOT_DUCKDB', says: 'no valid DuckDB file', hint: '`coinlake restore` moves' },
  ],
  [
    'gone',
    () => rm(store),
    {
      code: 'STORE_GONE',
      says: /is gone, but these .* remain: .*coinlake\.duckdb,.*stage\/pages/,
      hint: 'without a call',
    },
  ],
  [
    'an older copy than what is published',
    () => change(['DELETE FROM _loads']),
    { code: 'STORE_BEHIND', says: 'ends with load 0, and ', hint: 'coinlake restore' },
  ],
  [
    'of a newer DuckDB',
    () => setStorageVersion(store, 69),
    { code: 'STORE_TOO_NEW', says: 'storage version 69', hint: 'the coinlake that made it' },
  ],
  [
    'of a newer coinlake',
    () => change([`INSERT INTO _schema_versions VALUES (99, now(), 'a new world', '9.9.9')`]),
    { code: 'STORE_SCHEMA_NEWER', says: 'schema version 99', hint: 'coinlake 9.9.9 or newer' },
  ],
  [
    'another program’s DuckDB file',
    async () => {
      await rm(store)
      await change(['CREATE TABLE mine AS SELECT 42 AS answer'])
    },
    { code: 'STORE_FOREIGN', says: '(mine)', hint: 'Move it away' },
  ],
  [
    'of another layout',
    () => change(['ALTER TABLE market_chart DROP COLUMN bucket_date']),
    {
      code: 'STORE_SCHEMA_CHANGED',
      says: '"market_chart"."bucket_date"',
      hint: 'It was left as it is',
    },
  ],
]

test.each(SPOILT)('a store that is %s', async (_, spoil, refusal) => {
  await spoil()
  await expectRefused(refusal, ['backfill'], ['plan', '--json'])
})

/** Root may look into every folder, but nobody can follow a link to itself. */
async function makeUnreadable(path: string): Promise<void> {
  await rename(path, `${path}.moved`)
  await symlink(path, path)
}

test('a store or a manifest that this user may not look at is not gone', async () => {
  const manifest = join(warehouse, 'parquet', 'manifest.json')
  const told = { code: 'WAREHOUSE_UNREADABLE', hint: 'as the user who owns' }
  await makeUnreadable(manifest)
  const unsaid = `what is published is not known: ${manifest} cannot be read (ELOOP)`
  expect((await folder.run('status')).stdout).toContain(unsaid)
  await makeUnreadable(join(warehouse, 'state'))
  const says = `${store} cannot be read (ELOOP)`
  const commands = [...BACKFILL, ['plan'], ['gaps'], ['verify'], ['restore'], ['worker']]
  await expectRefused({ ...told, says }, ...commands)
  const reports = join(warehouse, 'state', 'runs')
  await expectRefused({ ...told, says: `${reports} cannot be read (ELOOP)` }, ['status'])
  expect((await folder.run('doctor')).stdout).toMatch(/^FAULT +warehouse .* cannot be read/m)
})

test('a warehouse of a simulated market is complete for no other source, unless that is said', async () => {
  configure('https://market.invalid', './warehouse', [CHART])
  const refusal = {
    exit: 2,
    code: 'SOURCE_CHANGED',
    says: `filled from ${new URL(service.url).origin}, and the source is now https://market.invalid`,
    hint: 'two warehouses',
  }
  await expectRefused(refusal, ['backfill'], ['worker'], ['plan'], ['gaps'], ['report'])
  expect(await folder.run('status', '--check')).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining(refusal.says),
  })
  expect((await folder.run('doctor')).stdout).toMatch(/^FAULT +store .*was filled from/m)
  expect(await folder.run('plan', '--afresh')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^warning: .* was filled from/),
  })
  // Nothing is missing, so no request of this run says where the warehouse goes on.
  expect(await folder.run('backfill', '--afresh', '--json')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('was filled from'),
  })
  for (const words of [['backfill'], ['plan'], ['gaps'], ['status', '--check'], ['report']]) {
    const told = await folder.run(...words)
    expect(told, words.join(' ')).toMatchObject({ exitCode: 0 })
    expect(told.stdout + told.stderr).not.toContain('was filled from')
  }
})

test('a store that is gone is begun afresh when that is said, and publications follow it', async () => {
  await rm(store)
  const planned = await folder.run('plan', '--afresh', '--json')
  expect((JSON.parse(planned.stdout) as { slices: unknown[] }).slices).not.toEqual([])
  const begun = await folder.run('backfill', '--afresh', '--json')
  expect(begun, begun.stderr + begun.stdout.slice(-1500)).toMatchObject({ exitCode: 0 })
  expect(await folder.run('verify')).toMatchObject({
    exitCode: 0,
    stdout:
      'no difference: the store, the Parquet files, the published file hold exactly what was loaded\n',
  })
})

test('a store of an older coinlake is brought up to date, and nothing is fetched again', async () => {
  await change([
    'UPDATE _schema_versions SET version = 0',
    'ALTER TABLE market_chart DROP COLUMN total_volume',
  ])
  const calls = service.log.length
  const { exitCode, stdout } = await folder.run('backfill', '--json')
  expect({ exitCode, report: JSON.parse(stdout) as unknown }).toMatchObject({
    exitCode: 0,
    report: { verdict: 'complete', calls: 0, rows: 0 },
  })
  expect(service.log).toHaveLength(calls)
  const seen = await folder.run('query', 'select count(total_volume) from market_chart')
  expect(seen).toMatchObject({ exitCode: 0, stderr: '' })
})

test('a disk that fills up under the publication: what readers have stays as it was', async () => {
  configure(service.url, './warehouse', [CHART.replace('03-20', '03-10')])
  const published = treeState(warehouse, /^(state|stage)/)
  const { size } = await stat(join(warehouse, 'coinlake.duckdb'))
  // Room for what the store needs, but not for a copy of it: the limit holds for `cp` alone.
  const bin = join(folder.dir, 'bin')
  await mkdir(bin)
  const limited = `trap '' XFSZ\nulimit -f ${(size - 256 * 1024) >> 9}\nexec /bin/cp "$@"\n`
  await writeFile(join(bin, 'cp'), `#!/bin/sh\n${limited}`, { mode: 0o755 })
  const PATH = `${bin}:${process.env['PATH']}`
  const told = await runProcess(['backfill'], { env: { PATH } })
  expectRefusal(
    told,
    { exit: 5, code: 'PUBLISH_DISK_FULL', says: /coinlake\.duckdb failed/, hint: 'Free some' },
    STEPS,
  )
  expect(treeState(warehouse, /^(state|stage)/)).toEqual(published)
  const calls = service.log.length
  expect(await folder.run('backfill', '--json')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(service.log).toHaveLength(calls)
})

test('a disk that is full before anything begins', async (context) => {
  const dir = join(folder.dir, 'disk')
  const why = whyNoSmallDisk(dir)
  if (why !== null) context.skip(why)
  const disk = mountSmallDisk(dir, 64 * 1_048_576)
  onTestFinished(() => disk.remove())
  const place = join(dir, 'warehouse')
  await cp(filled, place, { recursive: true, verbatimSymlinks: true })
  configure(service.url, place, [CHART.replace('03-20', '03-10')])
  disk.fillUpTo(0)
  const before = treeState(place)
  for (const words of BACKFILL) {
    const says = /orders\/\w+\.json \(ENOSPC\)/
    const refusal = { exit: 5, code: 'ORDER_NOT_WRITTEN', says, hint: 'free some space' }
    expectBareRefusal(await runProcess(words), refusal, words.includes('--json'))
  }
  // DuckDB makes its log before it knows whether there is room for a byte of it.
  expect(treeState(place, /\.wal$/)).toEqual(before)
  disk.makeRoom()
  expect(await runProcess(['backfill', '--json'])).toMatchObject({ exitCode: 0, stderr: '' })
})
