import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { BackedUp } from '../../cli/backup/back-up.ts'
import type { Restored } from '../../cli/restore/restore-store.ts'
import { allTables } from '../../datasets/index.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { releaseLock, takeLock } from '../../engine/pid-lock.ts'
import { type Lake, openLake } from '../parts/lake.ts'
import { marketUntil } from '../parts/market-lake.ts'
import type { Served } from '../parts/serve-source.ts'
import { tableHashes } from '../parts/table-hashes.ts'
import { reportOf } from './report-of.ts'
import { mountSmallDisk, whyNoSmallDisk } from './small-disk.ts'
import { inDuckdb } from '../parts/duckdb.ts'

const COINS = 24
const DATASETS = [
  'coin_markets: { every: 1d }',
  'exchange_rates: { every: 1d }',
  `market_chart: { coins: "top:${COINS}", granularity: hourly, from: 2024-03-01 }`,
  `ohlc: { coins: "top:${COINS}", granularity: 4h, from: 2024-03-01 }`,
]

/** The wait before an answer of the service; `answer` counts from 0. */
let hold: (answer: number) => Promise<void> = async () => undefined
const WITHIN = { timeout: 300_000, interval: 20 }
/** `source.concurrency` of the lake's config. */
const IN_FLIGHT = 4

function pagesOf({ paths }: Lake): number {
  if (!existsSync(paths.stageDir)) return 0
  const names = readdirSync(paths.stageDir, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.page')).length
}

function open(service: Served, sinks?: readonly ('duckdb' | 'parquet')[]): Lake {
  const lake = openLake(service.url, DATASETS, sinks && { sinks })
  onTestFinished(() => lake.remove())
  return lake
}

async function backUp(lake: Lake, dir: string): Promise<BackedUp> {
  const { exitCode, stdout, stderr } = await lake.run(['backup', dir, '--json'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout) as BackedUp
}

/** Another warehouse, restored from the backup alone: of another service, which nobody has asked. @param inFlight may lack a page */
async function restore(dir: string, inFlight: readonly string[] = []): Promise<Lake> {
  const lake = open(elsewhere)
  const asked = elsewhere.log.length
  const { exitCode, stdout, stderr } = await lake.run(['restore', '--from', dir, '--json'])
  const { calls, lost } = JSON.parse(stdout) as Restored & { calls: number }
  expect(lost.filter(({ dataset }) => !inFlight.includes(dataset))).toEqual([])
  const expected = { exitCode: lost.length === 0 ? 0 : 3, stderr: '', calls: 0 }
  expect({ exitCode, stderr, calls }).toEqual(expected)
  expect(elsewhere.log).toHaveLength(asked)
  return lake
}

/** How many slices a store has loaded; throws for a row that is not in the other one. */
async function loadedOf(file: string, whole: string): Promise<number> {
  return await inDuckdb(':memory:', async (connection) => {
    const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()
    await rows(`ATTACH ${quoteText(file)} AS one (READ_ONLY)`)
    await rows(`ATTACH ${quoteText(whole)} AS other (READ_ONLY)`)
    const there = await rows(`SELECT table_name FROM duckdb_tables() WHERE database_name = 'one'`)
    for (const { name, columns } of allTables) {
      if (!there.flat().includes(name)) continue
      const list = columns.map((column) => quoteName(column.name)).join(', ')
      const select = (from: string) => `SELECT ${list} FROM ${from}.${quoteName(name)}`
      const sql = `SELECT count(*) FROM (${select('one')} EXCEPT ${select('other')})`
      expect({ name, strange: await rows(sql) }).toEqual({ name, strange: [[0n]] })
    }
    const [[count]] = (await rows(
      `SELECT count(DISTINCT slice_id) FROM one._slices WHERE state IN ('loaded', 'provisional', 'empty')`,
    )) as [[bigint]]
    return Number(count)
  })
}

const service = await marketUntil({ coins: COINS, hold: (answer) => hold(answer) }, afterAll)
/** The same market. */
const elsewhere = await marketUntil({ coins: COINS }, afterAll)

test('a backup at each step of a backfill with kills is restored to a moment of the run, with 0 calls', async () => {
  const lake = open(service)
  const dir = join(lake.paths.root, '..', 'backup')
  const restored: { store: string; atLeast: number }[] = []
  const restoreNow = async (atLeast: number): Promise<Lake> => {
    // The second page of this listing may not be there yet, and no ledger says so.
    const one = await restore(dir, ['coin_markets'])
    restored.push({ store: one.paths.storeFile, atLeast })
    return one
  }
  let between: Lake | null = null
  for (const pages of [16, 36]) {
    const gate = Promise.withResolvers<void>()
    hold = async (answer) => (answer > pages ? await gate.promise : undefined)
    const run = lake.start(['backfill', '--json'])
    await expect.poll(() => pagesOf(lake), WITHIN).toBeGreaterThanOrEqual(pages - IN_FLIGHT)
    // The page that chose the coins is no slice, and coin_markets has two pages.
    const atLeast = pagesOf(lake) - 2
    expect((await backUp(lake, dir)).shut).toContain('held by process')
    run.kill('SIGKILL')
    await run.ended
    gate.resolve()
    between = await restoreNow(atLeast)
    // Alone, and killed before its record: the one before is whole, and the next is not hindered.
    const crash = { COINLAKE_CRASH_AT: 'publish.rename.after' }
    await lake.start(['backup', dir], crash).ended
    await restoreNow(atLeast)
    expect((await backUp(lake, dir)).shut).toBe(null)
  }
  expect(await backUp(lake, dir)).toMatchObject({ isNewFile: false, added: 0, addedBytes: 0 })
  hold = async () => undefined
  reportOf(await lake.start(['backfill', '--json']).ended)
  // A worker holds the store: the file is what the run has published.
  const worker = lake.start(['worker'])
  await worker.says('working on')
  const done = await backUp(lake, dir)
  expect(done).toMatchObject({ isNewFile: true, shut: expect.stringContaining('held by') })
  worker.kill('SIGTERM')
  await worker.ended
  expect(readdirSync(join(dir, 'duckdb')).toSorted()).toEqual([done.file, `${done.file}.json`])
  const last = await restore(dir)
  expect((await last.run(['verify'])).stdout).toContain('no difference')
  const whole = await tableHashes(lake.paths.storeFile)
  expect(await tableHashes(last.paths.storeFile)).toEqual(whole)
  const counts: number[] = []
  for (const { store, atLeast } of restored) {
    counts.push(await loadedOf(store, lake.paths.storeFile))
    expect(counts.at(-1)).toBeGreaterThanOrEqual(atLeast)
  }
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  // From a moment in between the rest alone is asked for.
  reportOf(await between!.start(['backfill', '--json']).ended)
  expect(elsewhere.log.length).toBeGreaterThan(0)
  expect(elsewhere.log.length).toBeLessThan(COINS)
  expect(await tableHashes(between!.paths.storeFile)).toEqual(whole)
})

test('a backup refuses what is not its own, waits for no other, and goes back to its moment', async () => {
  const lake = open(service, ['parquet'])
  const home = join(lake.paths.root, '..')
  const refused = async (dir: string): Promise<string> => {
    const { exitCode, stderr } = await lake.run(['backup', dir])
    return `${exitCode} ${/error\[(\w+)\]/.exec(stderr)?.[1]}`
  }
  expect(await refused(join(home, 'b'))).toBe('5 NO_WAREHOUSE')
  const more = ['--dataset', 'coin_markets']
  reportOf(await lake.start(['backfill', '--json', ...more]).ended)
  expect(await refused(join(lake.paths.root, 'b'))).toBe('2 BACKUP_IN_WAREHOUSE')
  expect(await refused(home)).toBe('2 BACKUP_FOREIGN')
  // A link to the folder is the folder; the other disk of it is full at first.
  const dir = join(home, 'b')
  const why = whyNoSmallDisk(join(home, 'try'))
  if (why === null) {
    const disk = mountSmallDisk(join(home, 'disk'), 1_048_576)
    onTestFinished(() => disk.remove())
    expect(await refused(join(home, 'disk'))).toMatch(/^5 (?:PUBLISH|STAGE)_DISK_FULL$/)
    disk.grow(256 * 1_048_576)
  } else {
    mkdirSync(join(home, 'disk'))
  }
  symlinkSync('disk', dir)
  const made = await backUp(lake, dir)
  expect(made).toMatchObject({ shut: null, isNewFile: true, damaged: [] })
  const before = await tableHashes(lake.paths.storeFile)
  // A backup that lost its file is not gone back to, and the next backup makes it whole.
  rmSync(join(dir, 'duckdb', made.file!))
  const replacing = ['restore', '--from', dir, '--replace']
  expect((await lake.run(replacing)).stderr).toContain('error[BACKUP_DAMAGED]')
  expect(await tableHashes(lake.paths.storeFile)).toEqual(before)
  const again = await backUp(lake, dir)
  expect(again).toMatchObject({ isNewFile: true, damaged: [] })
  expect(await backUp(lake, dir)).toMatchObject({ isNewFile: false, file: again.file })
  // Nor does a backup call a file whole that has rotted in it.
  const rotten = join(dir, 'duckdb', again.file!)
  chmodSync(rotten, 0o600)
  const bytes = readFileSync(rotten)
  // Behind the headers, as parts of the file are in no use.
  bytes.fill(0xa5, 16_384)
  writeFileSync(rotten, bytes)
  const first = await backUp(lake, dir)
  expect(first).toMatchObject({ isNewFile: true, damaged: [] })
  const there = { COINLAKE_WAREHOUSE: dir }
  expect((await lake.start(replacing, there).ended).stderr).toContain('error[BACKUP_IN_WAREHOUSE]')
  expect(takeLock(join(home, 'disk', 'backup.lock'))).toBe(true)
  const held = await lake.start(['backup', dir]).ended
  expect(held).toMatchObject({ code: 6, stderr: expect.stringContaining('BACKUP_HELD') })
  releaseLock(join(home, 'disk', 'backup.lock'))

  const other = open(service)
  reportOf(await other.start(['backfill', '--json', ...more]).ended)
  expect((await other.run(['backup', dir])).stderr).toContain('error[BACKUP_OF_ANOTHER]')
  expect((await other.run(['restore', '--from', home])).stderr).toContain('error[BACKUP_NONE]')
  expect((await other.run(['restore', '--replace'])).stderr).toContain('error[RESTORE_WHAT]')
  // Nothing that is whole is written over.
  reportOf(
    await lake.start(['backfill', '--json', '--dataset', 'coin_markets,exchange_rates']).ended,
  )
  const after = await tableHashes(lake.paths.storeFile)
  expect((await lake.run(['restore', '--from', dir])).stderr).toContain('error[STORE_EXISTS]')
  const back = await lake.run(['restore', '--from', dir, '--replace', '--json'])
  const { movedTo, at } = JSON.parse(back.stdout) as Restored
  expect(at).toBe(first.at)
  expect(await tableHashes(lake.paths.storeFile)).toEqual(before)
  expect(await tableHashes(join(movedTo!, 'store.duckdb'))).toEqual(after)
  expect(existsSync(lake.paths.parquetLink)).toBe(false)
  reportOf(await lake.start(['backfill', '--json', ...more]).ended)
  expect((await lake.run(['verify'])).stdout).toContain('no difference')

  // Rotten pages are left out and named, and the earlier file stays.
  const pages = join(lake.paths.stageDir, 'pages')
  const names = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  const page = join(
    pages,
    names.find((name) => name.endsWith('.page'))!,
  )
  rmSync(join(home, 'disk', 'stage'), { recursive: true })
  truncateSync(page, readFileSync(page).length - 4)
  const bent = await lake.run(['backup', dir, '--json'])
  expect(bent.exitCode).toBe(3)
  expect((JSON.parse(bent.stdout) as BackedUp).damaged).toEqual([page])
  // One that only the backup has is moved aside there, and told once.
  const copy = join(home, 'disk', 'stage', relative(lake.paths.stageDir, page))
  cpSync(page, copy)
  rmSync(page)
  const told = await lake.run(['backup', dir])
  expect([told.exitCode, existsSync(copy)]).toEqual([3, false])
  expect(told.stdout).toContain('damaged in the backup, moved aside there: ')
  expect((await lake.run(['backup', dir])).exitCode).toBe(0)
})
