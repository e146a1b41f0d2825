import { mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PublishReport } from '../../../sinks/publication.ts'
import type { Publication } from '../../../sinks/publication.ts'
import type { VersionFacts } from '../../../sinks/publish-duckdb/version-facts.ts'
import { publicationOf } from './publication-of.ts'
import { chart, ledger, openSampleStore, sampleTables, storeRows } from './sample-store.ts'
import type { SampleStore } from './sample-store.ts'

const RUN = { runId: 'run', publishedAtMs: 1_717_200_000_000, coinlakeVersion: '0.1.0' }

let root = ''
let link = ''
let store: SampleStore
let publication: Publication

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'coinlake-extend-'))
  link = join(root, 'coinlake.duckdb')
  store = await openSampleStore(join(root, 'store.duckdb'))
  publication = publicationOf('duckdb', root, store.connection)
  await store.load({
    points: [
      ['bitcoin', '2024-01-01T00:00:00Z', 1],
      ['zcash', '2024-01-01T00:00:00Z', 2],
    ],
    coins: [['bitcoin', '1', 'true', null]],
  })
  await publication.publish(RUN)
})
afterEach(async () => {
  await publication.close()
  store.close()
  await rm(root, { recursive: true, force: true })
})

const facts = async (): Promise<VersionFacts> =>
  JSON.parse(await readFile(`${join(root, await readlink(link))}.json`, 'utf8'))

/** What is published equals the store, table by table and in the ledger. */
async function expectEqualToStore(): Promise<void> {
  const instance = await DuckDBInstance.create(await readlinkPath(), { access_mode: 'READ_ONLY' })
  const reader = await instance.connect()
  for (const table of sampleTables) {
    expect(await storeRows(reader, table)).toEqual(await storeRows(store.connection, table))
  }
  for (const { name, columns } of ledger) {
    const sql = `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name} ORDER BY ALL`
    const [published, stored] = [
      (await reader.runAndReadAll(sql)).getRowsJson(),
      (await store.connection.runAndReadAll(sql)).getRowsJson(),
    ]
    expect(published).toEqual(stored)
  }
  reader.closeSync()
  instance.closeSync()
}

const readlinkPath = async (): Promise<string> => join(root, await readlink(link))

async function publishEqual(): Promise<{ report: PublishReport; isExtended: boolean }> {
  const report = await publication.publish(RUN)
  expect(report.changed).toBe(true)
  await expectEqualToStore()
  const { sorted_load_id: sorted, load_id: load, rows } = await facts()
  expect(report.rows).toBe(rows)
  return { report, isExtended: sorted < load }
}

test('after a small load the newest file is extended, time after time', async () => {
  for (let day = 2; day <= 3; day += 1) {
    await store.load({ points: [['amp', `2024-01-0${day}T00:00:00Z`, day]] })
    expect(await publishEqual()).toMatchObject({ isExtended: true, report: { rows: day + 2 } })
    expect(await facts()).toMatchObject({ sorted_load_id: 1, unsorted_rows: day - 1 })
  }
  const names = await readdir(join(root, 'duckdb'))
  expect(names.filter((name) => name.includes('.tmp'))).toEqual([])
})

test('rows that a load takes away or writes anew, and a catalogue that it changes', async () => {
  await store.load({ points: [['amp', '2024-02-01T00:00:00Z', 5]] })
  await store.empty('2024-01')
  await store.load({
    points: [['zcash', '2024-01-01T00:00:00Z', 3]],
    coins: [['amp', '2', null, '{}']],
  })
  await store.run(`UPDATE coins SET rank = 7, load_id = 4 WHERE coin_id = 'bitcoin'`)
  expect(await publishEqual()).toMatchObject({ isExtended: true })
})

test('a ledger of many rows is compared row by row', async () => {
  await store.run(
    `INSERT INTO _slices SELECT 's' || i, 'planned', TIMESTAMPTZ '2024-01-01' FROM range(6000) t(i)`,
  )
  await publishEqual()
  await store.run(`UPDATE _slices SET state = 'loaded' WHERE slice_id IN ('s7', 's5999')`)
  await store.run(`DELETE FROM _slices WHERE slice_id = 's8'`)
  await store.run(`INSERT INTO _slices VALUES ('new', 'planned', NULL)`)
  expect((await publication.publish(RUN)).changed).toBe(true)
  await expectEqualToStore()
})

test.each([
  ['a load of another time', 'UPDATE _loads SET load_id = 2 WHERE load_id = 1'],
  ['a slice that was repaired', `UPDATE _contents SET row_count = 9 WHERE table_name = 'coins'`],
  ['rows that no load took away', `DELETE FROM market_chart WHERE coin_id = 'zcash'`],
  ['rows that no load wrote', 'INSERT INTO market_chart SELECT * FROM market_chart'],
])('%s: the file is built anew', async (_, sql) => {
  await store.run(sql)
  await store.load({ points: [['amp', '2024-01-02T00:00:00Z', 2]] })
  expect(await publishEqual()).toMatchObject({ isExtended: false })
})

test('too many rows out of order: the file is built anew, sorted', async () => {
  const file = await readlinkPath()
  await writeFile(`${file}.json`, JSON.stringify({ ...(await facts()), unsorted_rows: 1_000_000 }))
  await store.load({ points: [['amp', '2024-01-02T00:00:00Z', 2]] })
  expect(await publishEqual()).toMatchObject({ isExtended: false })
  expect(await facts()).toMatchObject({ sorted_load_id: 2, unsorted_rows: 0 })
})

test('rows of one large load are in order among themselves: a query meets two row groups of them', async () => {
  const file = await readlinkPath()
  await writeFile(`${file}.json`, JSON.stringify({ ...(await facts()), unsorted_rows: 700_000 }))
  await store.load({ points: [['amp', '2024-01-02T00:00:00Z', 2]] })
  await store.run(
    `INSERT INTO market_chart SELECT c.* REPLACE (ts + INTERVAL (i) SECOND AS ts)
     FROM market_chart c, range(1, 400_000) t(i) WHERE load_id = 2`,
  )
  await store.run('UPDATE _contents SET row_count = 400_000 WHERE load_id = 2')
  const report = await publication.publish(RUN)
  expect(report.rows).toBe(400_003)
  expect(await facts()).toMatchObject({ sorted_load_id: 1, unsorted_rows: 945_760 })
})

test('rows that go count each: a file of which much was replaced is built anew', async () => {
  await store.load({ points: [['amp', '2024-02-01T00:00:00Z', 2]] })
  await store.run(
    `INSERT INTO market_chart SELECT c.* REPLACE (ts + INTERVAL (i) SECOND AS ts)
     FROM market_chart c, range(1, 300_000) t(i) WHERE load_id = 2`,
  )
  await store.run('UPDATE _contents SET row_count = 300_000 WHERE load_id = 2')
  await publication.publish(RUN)
  const file = await readlinkPath()
  await writeFile(`${file}.json`, JSON.stringify({ ...(await facts()), unsorted_rows: 730_000 }))
  await store.empty('2024-02')
  await publication.publish(RUN)
  expect(await facts()).toMatchObject({ sorted_load_id: 3, unsorted_rows: 0, rows: 3 })
})

test('facts of an older coinlake: the file is built anew', async () => {
  const { sorted_load_id: _sorted, unsorted_rows: _rows, ...older } = await facts()
  await writeFile(`${await readlinkPath()}.json`, JSON.stringify(older))
  await store.load({ points: [['amp', '2024-01-02T00:00:00Z', 2]] })
  expect(await publishEqual()).toMatchObject({ isExtended: false })
})

test('a file that cannot be extended is written anew, with a warning', async () => {
  const file = await readlinkPath()
  const { size, atime, mtime } = await stat(file)
  await rm(file)
  await writeFile(file, Buffer.alloc(size))
  await utimes(file, atime, mtime)
  await writeFile(
    `${file}.json`,
    JSON.stringify({ ...(await facts()), written_at_ms: (await stat(file)).mtimeMs }),
  )
  await store.load({ points: [['amp', '2024-01-02T00:00:00Z', 2]] })
  const { report, isExtended } = await publishEqual()
  expect(isExtended).toBe(false)
  expect(report.warnings).toEqual([expect.stringContaining(file)])
})

test('a copy made ahead is used, and one that is not used goes', async () => {
  const dir = join(root, 'duckdb')
  await publication.prepare()
  const [ahead] = (await readdir(dir)).filter((name) => name.endsWith('.tmp'))
  const { ino } = await stat(join(dir, ahead ?? ''))
  await store.load({ points: [['amp', '2024-01-02T00:00:00Z', 2]] })
  expect(await publishEqual()).toMatchObject({ isExtended: true })
  expect((await stat(await readlinkPath())).ino).toBe(ino)
  void publication.prepare()
  void publication.prepare()
  expect((await publication.publish(RUN)).changed).toBe(false)
  await publication.close()
  expect((await readdir(dir)).filter((name) => name.includes('.tmp'))).toEqual([])
  // Of a version that is not the newest any more a copy is worth nothing.
  await publication.prepare()
  const twin = publicationOf('duckdb', root, store.connection)
  await store.load({ points: [['amp', '2024-01-03T00:00:00Z', 3]] })
  await twin.publish(RUN)
  await store.load({ points: [['amp', '2024-01-04T00:00:00Z', 4]] })
  expect(await publishEqual()).toMatchObject({ isExtended: true })
  expect(await storeRows(store.connection, chart)).toHaveLength(5)
})
