import { DAY_MS } from '../../config/values/duration.ts'
import { allTables } from '../../datasets/index.ts'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lineageColumns } from '../../datasets/table/lineage.ts'
import type { Restored } from '../../cli/restore/restore-store.ts'
import { systemClock } from '../../config/clock.ts'
import { copyPublished } from '../../cli/restore/copy-published.ts'
import { moveAllAside, putInPlace } from '../../cli/restore/replace-store.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import type { FoundVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { movableClock, type Warehouse } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { mountSmallDisk, whyNoSmallDisk } from '../resume/small-disk.ts'
import { openWarehouseFolder } from '../parts/warehouse-folder.ts'
import { countsOf, tableHash } from '../parts/table-hashes.ts'
import { inDuckdb, askDuckdb } from '../parts/duckdb.ts'
import { APRIL_MARKET, APRIL_MS, openMarketWarehouse } from '../parts/market-warehouse.ts'

const LINES = [
  'coins: {}',
  'coin_markets: { vs_currencies: [usd] }',
  'exchanges: {}',
  'exchange_rates: {}',
  'coin_details: { coins: [bitcoin] }',
  'ohlc: { coins: [bitcoin], granularity: 4h, from: 2024-04-01 }',
  'coin_history: { coins: [bitcoin], from: 2024-04-07 }',
  'market_chart: { coins: "top:3", granularity: hourly, from: 2024-04-01, to: 2024-04-20 }',
]

/** Every table, its rows with the time and slice of their answers, and what the ledger covers. */
async function contents({ paths }: Warehouse): Promise<Record<string, unknown>> {
  return await inDuckdb(paths.storeFile, async (connection) => {
    const found: Record<string, unknown> = {}
    for (const table of allTables) {
      const lineage = lineageColumns(table).filter(({ name }) => name !== 'load_id')
      const withLineage = { ...table, columns: [...table.columns, ...lineage] }
      found[table.name] = await tableHash(connection, withLineage, table.name)
    }
    for (const [name, sql] of Object.entries({
      coverage: 'FROM _coverage ORDER BY ALL',
      revisions:
        'SELECT table_name, key, before, after, first_seen_at FROM _revisions ORDER BY ALL',
      universes: 'SELECT selector, rank, coin_id FROM _universes ORDER BY ALL',
    })) {
      found[name] = (await connection.runAndReadAll(sql)).getRowObjectsJson()
    }
    return found
  })
}

/** Removes the store, and what is published of it. */
function dropStore({ paths }: Warehouse): void {
  rmSync(paths.storeFile)
  rmSync(paths.duckdbLink, { force: true })
}

/** Writes rows again, as a run does that is killed before they leave the log. */
async function leaveLog({ paths }: Warehouse): Promise<void> {
  await askDuckdb(
    paths.storeFile,
    'PRAGMA disable_checkpoint_on_shutdown; INSERT INTO market_chart FROM market_chart',
  )
}

/** Removes the pages that coins were chosen from; how many there were. */
function dropListing(stageDir: string): number {
  const names = readdirSync(join(stageDir, 'pages'), { recursive: true, encoding: 'utf8' })
  const pages = names
    .filter((name) => name.endsWith('.page'))
    .map((name) => join(stageDir, 'pages', name))
    .filter((path) => readFileSync(path, 'utf8').includes('"dataset":"universe"'))
  for (const path of pages) rmSync(path)
  return pages.length
}

test('a store that was deleted is made again from the kept answers, with 0 calls', async () => {
  const { clock, market, served, warehouse } = await openMarketWarehouse({ hourlyDays: 12 })
  await warehouse.export(LINES)
  // Provisional points are replaced, a snapshot is taken again, a closed value has changed.
  clock.set(APRIL_MS + DAY_MS)
  await market.connection.run(
    `UPDATE market_chart SET price = 12.5 WHERE coin_id = 'bitcoin' AND granularity = '1h'
       AND bucket_at = TIMESTAMPTZ '2024-04-05 06:00:00+00'`,
  )
  await warehouse.export(LINES)
  const again = '--from 2024-04-05 --to 2024-04-06 --coins bitcoin --dataset market_chart'
  expect((await warehouse.run('refetch', ...again.split(' '))).exitCode).toBe(0)
  const whole = await contents(warehouse)
  expect(whole['revisions']).toHaveLength(1)
  const calls = served.log.length

  expect((await warehouse.run('restore')).stderr).toContain('error[STORE_EXISTS]')
  const { duckdbLink, storeFile } = warehouse.paths
  await leaveLog(warehouse)
  rmSync(storeFile)
  expect(existsSync(`${storeFile}.wal`)).toBe(true)
  // The published file is one of the store of its moment.
  const copied = await warehouse.run('restore', '--json')
  expect(JSON.parse(copied.stdout)).toMatchObject({
    calls: 0,
    slices: 0,
    lost: [],
    movedTo: expect.stringMatching(/\.damaged\.wal$/),
  })
  expect(existsSync(`${storeFile}.wal`)).toBe(false)
  expect(await contents(warehouse)).toEqual(whole)
  rmSync(storeFile)
  // From the answers alone.
  renameSync(duckdbLink, `${duckdbLink}.away`)
  // The listing that the coins were chosen from leaves the stage after a month.
  expect(dropListing(warehouse.paths.stageDir)).toBe(1)
  // The rest of a restore that was killed is no hindrance.
  writeFileSync(`${storeFile}.restoring`, '')
  const restored = await warehouse.run('restore', '--json')
  expect(restored.stderr).toBe('')
  expect(restored.exitCode).toBe(0)
  expect(JSON.parse(restored.stdout)).toMatchObject({ calls: 0, lost: [], universes: ['top:3'] })
  expect(await contents(warehouse)).toEqual(whole)
  expect(served.log).toHaveLength(calls)
  renameSync(`${duckdbLink}.away`, duckdbLink)
  // Verify says no more of Parquet files of another load than it has compared.
  const compared = await warehouse.run('verify')
  expect(compared.stdout).toMatch(/not compared by slice: .*market_chart, /)
  expect(compared.stdout).toContain(
    'no difference: the store, the published file hold exactly what was loaded; the Parquet files, as far as was compared\n',
  )
  expect(compared.exitCode).toBe(0)

  const after = await warehouse.export(LINES)
  expect(after.requests).toEqual([])
  expect(after.report.publications.map(({ changed }) => changed)).toEqual([true, true])
  const verified = await warehouse.run('verify')
  expect(verified.stdout).toContain('no difference')
  expect(verified.exitCode).toBe(0)
  expect(
    readdirSync(warehouse.paths.stateDir).filter((name) => name.includes('restoring')),
  ).toEqual([])
})

test('answers that are damaged are named, fetched by the next backfill; none at all is an error', async () => {
  const { warehouse } = await openMarketWarehouse()
  const lines = [
    'market_chart: { coins: [bitcoin, ethereum], granularity: daily, from: 2024-03-20, to: 2024-04-01 }',
  ]
  await warehouse.export(lines)
  const whole = await contents(warehouse)
  const pages = (): string[] =>
    readdirSync(warehouse.paths.stageDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.page'))
      .map((name) => join(warehouse.paths.stageDir, name))
  expect(pages()).toHaveLength(2)
  const [bent] = pages()
  truncateSync(bent!, statSync(bent!).size - 4)
  dropStore(warehouse)
  const restored = await warehouse.run('restore', '--json')
  expect(restored.exitCode).toBe(3)
  const { slices, lost } = JSON.parse(restored.stdout) as Restored
  expect(slices).toBe(1)
  expect(lost).toMatchObject([{ dataset: 'market_chart' }])
  expect(lost[0]?.reason).toContain('bytes instead of')
  expect((await warehouse.export(lines)).requests).toHaveLength(1)
  const { market_chart: chart } = await contents(warehouse)
  expect(countsOf(String(chart)).rows).toBe(countsOf(String(whole['market_chart'])).rows)

  const [nobodys] = pages()
  writeFileSync(nobodys!, '{')
  // The published file has its rows, so the answer is not read.
  rmSync(warehouse.paths.storeFile)
  expect((await warehouse.run('restore')).exitCode).toBe(0)
  dropStore(warehouse)
  const nameless = await warehouse.run('restore')
  expect(nameless.stdout).toContain(nobodys)
  expect(nameless.exitCode).toBe(3)

  dropStore(warehouse)
  rmSync(warehouse.paths.stageDir, { recursive: true })
  const nothing = await warehouse.run('restore')
  expect(nothing.stderr).toContain('error[RESTORE_NOTHING]')
  expect(nothing.exitCode).toBe(5)
})

test('of a stage that warehouses share each restores and backs up its own answers', async () => {
  const clock = movableClock(APRIL_MS)
  const market = await holdMarket(APRIL_MARKET, clock)
  const served = await serveInTest(market.source)
  const stage = tempDir()
  const [one] = await Promise.all(
    ['bitcoin', 'ethereum'].map(async (coin) => {
      const folder = openWarehouseFolder({ clock })
      folder.configure({
        source: [`base_url: "${served.url}"`],
        more: [`stage: { at: ${stage} }`],
        datasets: [`market_chart: { coins: [${coin}], granularity: daily, from: 2024-03-20 }`],
      })
      expect((await folder.run('backfill')).exitCode).toBe(0)
      return folder
    }),
  )
  const backup = await one!.run('backup', 'backup', '--json')
  expect(JSON.parse(backup.stdout)).toMatchObject({ kept: 0, added: 1 })
  rmSync(one!.paths.storeFile)
  const restored = await one!.run('restore', '--json')
  expect(JSON.parse(restored.stdout)).toMatchObject({ slices: 0, lost: [] })
})

test('a restored file whose log is not in it gets no name, and the store keeps its own', async () => {
  const dir = tempDir()
  const [storeFile, restored] = [join(dir, 'store.duckdb'), join(dir, 'store.duckdb.restoring')]
  const names = ['store.duckdb', 'store.duckdb.wal', 'store.duckdb.restoring']
  for (const name of names) writeFileSync(join(dir, name), name)
  writeFileSync(`${restored}.wal`, 'rows')
  await expect(putInPlace(restored, storeFile)).rejects.toMatchObject({
    code: 'RESTORE_UNWRITTEN',
    exitCode: 5,
  })
  expect(readdirSync(dir).toSorted()).toEqual([...names, 'store.duckdb.restoring.wal'].toSorted())
  rmSync(`${restored}.wal`)
  const movedTo = await putInPlace(restored, storeFile)
  expect(readFileSync(storeFile, 'utf8')).toBe('store.duckdb.restoring')
  expect(readFileSync(movedTo!, 'utf8')).toBe('store.duckdb')
  expect(readFileSync(`${movedTo}.wal`, 'utf8')).toBe('store.duckdb.wal')
})

test('a restore without room for the published file ends with exit 5, and names the disk', async ({
  skip,
}) => {
  const dir = tempDir()
  const disk = join(dir, 'disk')
  const why = whyNoSmallDisk(disk)
  if (why !== null) skip(why)
  const small = mountSmallDisk(disk, 1_048_576)
  onTestFinished(() => small.remove())
  const file = join(dir, 'published.duckdb')
  writeFileSync(file, Buffer.alloc(2_097_152))
  const version = { file, facts: { load_id: 1 } } as FoundVersion
  const temp = join(disk, 'store.duckdb.restoring')
  const copied = copyPublished([version], temp, systemClock)
  await expect(copied).rejects.toMatchObject({ code: 'PUBLISH_DISK_FULL', exitCode: 5 })
})

test('a tree beside Delta Lake tables moves aside with what its link leads to', async () => {
  const root = join(tempDir(), 'warehouse')
  const paths = { ...warehousePaths(root), parquetLink: join(root, 'delta') }
  const tree = join(root, 'parquet')
  for (const dir of ['delta', 'parquet-versions']) mkdirSync(join(root, dir), { recursive: true })
  symlinkSync('parquet-versions', tree)
  const aside = await moveAllAside(paths)
  expect(readdirSync(root)).toEqual([basename(aside!)])
  expect(lstatSync(join(aside!, 'parquet')).isSymbolicLink()).toBe(true)
})
