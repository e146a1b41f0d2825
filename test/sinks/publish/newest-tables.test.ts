import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { storedColumns } from '../../../datasets/table/ddl.ts'
import { MARKET_CHART, marketChart } from '../../../datasets/market-chart.ts'
import { openStore, type Store } from '../../../sinks/duckdb-store/open-store.ts'
import { newestTablesOf } from '../../../sinks/newest/newest-tables.ts'
import type { Publication } from '../../../sinks/publication.ts'
import { openSession } from '../../../sinks/duckdb-store/session.ts'
import { checkNewest } from '../../../sinks/verify/check-newest.ts'
import { verifyTables } from '../../../sinks/verify/verify-tables.ts'
import { type StoreHarness, storeHarness } from '../duckdb-store/store-harness.ts'
import { publicationOf } from './publication-of.ts'
import { randomOf } from '../../parts/random-of.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2024, 0, 30)
const RUN = { runId: 'run', publishedAtMs: START_MS, coinlakeVersion: '0.1.0' }
const COINS = ['amp', 'bitcoin', 'zcash']
const TABLES = [MARKET_CHART]
const COLUMNS = storedColumns(MARKET_CHART)
  .map(({ name }) => name)
  .join(', ')

let root = ''
let store: Store
let connection: DuckDBConnection
let duckdb: Publication
let parquet: Publication
let loadOne: StoreHarness['loadOne']

beforeEach(async () => {
  root = tempDir()
  store = await openStore({
    file: join(root, 'store.duckdb'),
    datasets: [marketChart],
    coinlakeVersion: '0.1.0',
    clock: frozenClock(START_MS),
  })
  ;({ loadOne } = storeHarness(store, TABLES))
  connection = await store.connect()
  const published = { tables: TABLES, alone: store.alone }
  duckdb = publicationOf('duckdb', root, connection, published)
  parquet = publicationOf('parquet', root, connection, published)
})
afterEach(async () => {
  connection.closeSync()
  await store.close()
})

/** One answer: points of `hours` of a coin, for a slice of hours [from, to), as of an hour. */
async function load(
  [coin, from, to]: readonly [string, number, number],
  hours: readonly number[],
  { price, fetchedHour }: { price: number; fetchedHour: number },
): Promise<void> {
  const slice: Slice = {
    dataset: 'market_chart',
    entity: coin,
    vsCurrency: 'usd',
    granularity: '1h',
    fromMs: START_MS + from * HOUR_MS,
    toMs: START_MS + to * HOUR_MS,
  }
  const times = hours.map((hour) => START_MS + hour * HOUR_MS)
  const values = {
    coin_id: { constant: coin },
    vs_currency: { constant: 'usd' },
    granularity: { constant: '1h' },
    ts: times,
    bucket_at: times,
    price: hours.map((hour) => price + hour),
    market_cap: { constant: 1 },
    total_volume: { constant: 2 },
    bucket_date: times,
    _absent: { constant: null },
    _extra: { constant: null },
  }
  const columns = { table: MARKET_CHART.name, values, rowCount: hours.length }
  const fetchedAtMs = START_MS + fetchedHour * HOUR_MS
  const answer = { slice, fetchedAtMs, ...(hours.length > 0 && { columns }) }
  expect((await loadOne(answer)).slices).toBe(1)
}

/** The rows that readers of the file or of the tree find. */
async function published(kind: 'duckdb' | 'parquet', sql: string): Promise<unknown[]> {
  if (kind === 'duckdb') {
    const file = await realpath(join(root, 'coinlake.duckdb'))
    return (await askDuckdb(file, sql, 'READ_ONLY')).getRowsJson()
  }
  const tree = await realpath(join(root, 'parquet'))
  const views = await readFile(join(tree, 'views.sql'), 'utf8')
  const script = `SET file_search_path = '${tree}'; ${views}; ${sql}`
  return (await askDuckdb(':memory:', script)).getRowsJson()
}

const STORED = `SELECT ${COLUMNS} FROM newest.market_chart ORDER BY ALL`
/** The meaning of the small table, in other words than those that make it. */
const MEANT = `SELECT ${COLUMNS} FROM market_chart QUALIFY rank() OVER (
  PARTITION BY coin_id, vs_currency, granularity, is_moving ORDER BY ts DESC) = 1 ORDER BY ALL`

/** Both publications hold exactly the newest rows of what they and the store hold. */
async function expectExact(): Promise<unknown[]> {
  await duckdb.publish(RUN)
  await parquet.publish(RUN)
  const meant = (await connection.runAndReadAll(MEANT)).getRowsJson()
  for (const kind of ['duckdb', 'parquet'] as const) {
    expect(await published(kind, MEANT), kind).toEqual(meant)
    expect(await published(kind, STORED), kind).toEqual(meant)
  }
  return meant
}

/** COINLAKE_TEST_BIG=1 takes longer and looks further. */
const SEEDS = process.env['COINLAKE_TEST_BIG'] === '1' ? 30 : 2

test.each(Array.from({ length: SEEDS }, (_, at) => at + 1))(
  'whatever loads do, the newest rows are those of the whole: seed %i',
  async (seed) => {
    const random = randomOf(seed)
    const draw = (end: number): number => Math.floor(random() * end)
    for (let step = 0; step < 6; step += 1) {
      for (let loads = draw(4); loads >= 0; loads -= 1) {
        const [from, length] = [draw(60), 1 + draw(30)]
        // Some answers leave points out, some bring none: what was provisional there is gone.
        const every = 1 + draw(4)
        const hours = Array.from({ length }, (_, at) => from + at).filter(
          (hour) => every < 4 && hour % every === 0,
        )
        const coin = COINS[draw(COINS.length)] ?? ''
        const fetchedHour = from + draw(length + 20)
        await load([coin, from, from + length], hours, { price: draw(3), fetchedHour })
      }
      await expectExact()
    }
  },
)

test('a newest row that goes, without a row as late in its place, is searched for again', async () => {
  const wide = { price: 1, fetchedHour: 11 }
  await load(['bitcoin', 0, 12], [1, 3, 10, 11], wide)
  await load(['amp', 0, 12], [2, 11], wide)
  expect(await expectExact()).toHaveLength(4)
  // The source has no point after hour 3 any more: those that were settled stay.
  await load(['bitcoin', 6, 12], [], { price: 1, fetchedHour: 40 })
  const rows = await expectExact()
  expect(rows.map((row) => (row as string[])[0])).toEqual(['amp', 'amp', 'bitcoin'])
})

test('a newest row that goes, while its series gets an earlier one than another that is there', async () => {
  for (const hour of [40, 50]) {
    await load(['bitcoin', hour - 5, hour + 5], [hour], { price: 1, fetchedHour: hour })
  }
  await expectExact()
  await load(['bitcoin', 45, 55], [], { price: 1, fetchedHour: 60 })
  await load(['bitcoin', 15, 25], [20], { price: 1, fetchedHour: 20 })
  await expectExact()
  const newest = 'SELECT price, is_moving FROM newest.market_chart'
  expect(await published('duckdb', newest)).toEqual([[41, true]])
})

test('a newest row that gets another value, and one in whose place an earlier one comes', async () => {
  await load(['bitcoin', 0, 12], [3, 10, 11], { price: 1, fetchedHour: 100 })
  await load(['amp', 0, 12], [3, 10, 11], { price: 1, fetchedHour: 12 })
  await expectExact()
  await load(['bitcoin', 0, 12], [10, 11], { price: 2, fetchedHour: 101 })
  await load(['amp', 0, 12], [5], { price: 2, fetchedHour: 13 })
  await expectExact()
  const newest = 'SELECT coin_id, price, is_moving FROM newest.market_chart ORDER BY ALL'
  expect(await published('parquet', newest)).toEqual([
    ['amp', 11, false],
    ['bitcoin', 13, false],
  ])
})

describe.each(['duckdb', 'parquet'] as const)('%s', (kind) => {
  const newestPrices = `SELECT coin_id, price FROM newest.market_chart ORDER BY ALL`

  beforeEach(async () => {
    await load(['bitcoin', 0, 5], [0, 4], { price: 1, fetchedHour: 100 })
    await load(['zcash', 0, 5], [0, 4], { price: 1, fetchedHour: 100 })
    await expectExact()
  })

  test('reads only rows of later loads', async () => {
    // Behind the back of the ledger: nobody can find this but by looking at all rows.
    await connection.run(`UPDATE market_chart SET price = 77 WHERE coin_id = 'zcash'`)
    await load(['bitcoin', 5, 9], [8], { price: 1, fetchedHour: 100 })
    await duckdb.publish(RUN)
    await parquet.publish(RUN)
    expect(await published(kind, newestPrices)).toEqual([
      ['bitcoin', 9],
      ['zcash', 5],
    ])
  })

  test('reads all rows of a store that was put back with other rows of the same load', async () => {
    await connection.run(`UPDATE market_chart SET price = 77 WHERE coin_id = 'zcash'`)
    await connection.run(
      `UPDATE _contents SET fingerprint = '7' WHERE slice_id IN (
         SELECT slice_id FROM market_chart WHERE coin_id = 'zcash')`,
    )
    await load(['bitcoin', 5, 9], [8], { price: 1, fetchedHour: 100 })
    await expectExact()
  })

  test('reads all rows after a repair, which the ledger shows', async () => {
    await connection.run(`DELETE FROM market_chart WHERE coin_id = 'zcash' AND price = 5`)
    const source = {
      rows: store.query,
      relation: ({ name }: { name: string }) => name,
      ledger: (name: string) => name,
    }
    const found = await verifyTables({ place: 'store', datasets: [marketChart], source }, TABLES)
    expect(found).toHaveLength(1)
    await store.markDamaged(found, null)
    await load(['bitcoin', 5, 9], [8], { price: 1, fetchedHour: 100 })
    await load(['zcash', 0, 5], [0, 3], { price: 1, fetchedHour: 100 })
    await expectExact()
    expect(await published(kind, newestPrices)).toEqual([
      ['bitcoin', 9],
      ['zcash', 4],
    ])
  })
})

test('a tree of an older coinlake gets it with its next publication, and until then shows it', async () => {
  await load(['bitcoin', 0, 5], [0, 4], { price: 1, fetchedHour: 100 })
  await parquet.publish(RUN)
  const path = join(root, 'parquet', 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  const files = manifest.files.filter(({ table }: { table: string }) => table === 'market_chart')
  await writeFile(path, JSON.stringify({ ...manifest, files }))
  await rm(join(root, 'parquet', 'market_chart_newest'), { recursive: true })
  expect((await parquet.publish(RUN)).changed).toBe(true)
  await expectExact()
  expect((await parquet.publish(RUN)).changed).toBe(false)
})

test.each(['other content', 'no file'])('of a file with %s nothing is taken', async (damage) => {
  await load(['bitcoin', 0, 5], [0, 4], { price: 1, fetchedHour: 100 })
  await parquet.publish(RUN)
  const path = join(root, 'parquet', 'market_chart_newest', 'all.parquet')
  const size = (await readFile(path)).byteLength
  if (damage === 'no file') await rm(path)
  else await writeFile(path, Buffer.alloc(size))
  await load(['amp', 0, 5], [2], { price: 1, fetchedHour: 100 })
  await expectExact()
})

test('newest rows that were changed in the store come anew with the publication', async () => {
  await load(['bitcoin', 0, 5], [0, 4], { price: 1, fetchedHour: 100 })
  await expectExact()
  await connection.run('UPDATE newest.market_chart SET price = -1')
  await duckdb.publish({ ...RUN, isAnew: true })
  await expectExact()
})

test('verify names newest rows that do not follow from their history', async () => {
  const [newest] = newestTablesOf(TABLES)
  if (newest === undefined) throw new Error('market_chart has none')
  await load(['bitcoin', 0, 5], [0, 4], { price: 1, fetchedHour: 100 })
  await load(['amp', 0, 5], [0, 3], { price: 1, fetchedHour: 100 })
  await connection.run(`CREATE TEMP TABLE market_chart_newest AS ${MEANT}`)
  const source = {
    rows: openSession(connection, 'store.duckdb').rows,
    relation: ({ name }: { name: string }) => name,
    ledger: (name: string) => name,
  }
  const context = { place: 'duckdb', datasets: [], source } as const
  expect(await checkNewest(context, newest)).toEqual([])
  await connection.run(`UPDATE temp.market_chart_newest SET price = 7 WHERE coin_id = 'amp'`)
  expect(await checkNewest(context, newest)).toMatchObject([
    { check: 'newest', table: 'market_chart_newest', found: '1 missing, 1 others' },
  ])
  for (const absent of [newest.table.name, newest.source.name]) {
    const relation = ({ name }: { name: string }) => (name === absent ? null : name)
    expect(await checkNewest({ ...context, source: { ...source, relation } }, newest)).toEqual([])
  }
})

test('latest_prices: the newest point, and beside it the moving one', async () => {
  await load(['bitcoin', 0, 5], [0, 4], { price: 1, fetchedHour: 100 })
  await load(['zcash', 0, 50], [2, 48], { price: 1, fetchedHour: 48 })
  // Nobody has asked again for what moved before the newest point.
  await load(['amp', 0, 10], [8], { price: 1, fetchedHour: 8 })
  await load(['amp', 20, 30], [25], { price: 1, fetchedHour: 100 })
  await expectExact()
  for (const kind of ['duckdb', 'parquet'] as const) {
    const rows = await published(
      kind,
      `SELECT coin_id, vs_currency, granularity, price, market_cap, volume_24h, (epoch_ms(as_of) - ${START_MS}) // ${HOUR_MS} AS h,
         moving_price, (epoch_ms(moving_as_of) - ${START_MS}) // ${HOUR_MS} AS later
       FROM latest_prices ORDER BY coin_id`,
    )
    expect(rows).toEqual([
      ['amp', 'usd', '1h', 26, 1, 2, '25', null, null],
      ['bitcoin', 'usd', '1h', 5, 1, 2, '4', null, null],
      ['zcash', 'usd', '1h', 3, 1, 2, '2', 49, '48'],
    ])
  }
})
