import { beforeEach, expect, test } from 'vitest'
import { sortTail } from '../../../sinks/publish-duckdb/sort-tail.ts'
import { rowsOf } from '../../../sinks/rows-of.ts'
import { openSample, RUN } from './sample-publication.ts'
import { chart, coins, type SampleStore } from './sample-store.ts'

const COINS = 100
const HOURS = 1_300
/** Two groups of rows: below what a query may pass over, and above. */
const BOUNDS = { maxOtherRows: 125_000, turnRows: 30_000 }

let store: SampleStore
let turns = 0
const alone = async <T>(work: () => Promise<T>): Promise<T> => {
  turns += 1
  return work()
}

beforeEach(async () => {
  turns = 0
  const sample = await openSample('duckdb')
  store = sample.store
  // Its layout has the marks of what is sorted.
  await sample.publication.publish(RUN)
})

/** Points of all coins from an hour on, as loads of `order` leave them. */
async function loaded(
  order: 'ts, coin_id' | 'coin_id, ts',
  loadId: number,
  hours = HOURS,
): Promise<void> {
  await store.run(
    `INSERT INTO market_chart SELECT printf('coin-%03d', k), 'usd', '1h', ts, ts, hash(k, h) / 1e9, NULL, NULL,
       (ts AT TIME ZONE 'UTC')::DATE, false, ts, 'slice', ${loadId}, false
     FROM (SELECT k, h, TIMESTAMPTZ '2020-01-01' + INTERVAL (${loadId * hours} + h) HOUR AS ts,
         printf('coin-%03d', k) AS coin_id FROM range(${COINS}) a(k), range(${hours}) b(h))
     ORDER BY ${order}`,
  )
  await store.run(
    `INSERT INTO _loads VALUES (${loadId}, 'run', now(), 1, ${COINS * hours}, 0, 0, 0, 0, '0.1.0')`,
  )
}

/** Points of one more coin behind them, of the first load. */
async function oneMore(hours: number): Promise<void> {
  await store.run(
    `INSERT INTO market_chart SELECT 'alone', 'usd', '1h', ts, ts, 1, NULL, NULL, (ts AT TIME ZONE 'UTC')::DATE,
       false, ts, 'slice', 1, false
     FROM (SELECT TIMESTAMPTZ '2000-01-01' + INTERVAL (h) HOUR AS ts FROM range(${hours}) b(h))`,
  )
}

const content = async (): Promise<unknown> =>
  (
    await rowsOf(
      store.connection,
      'SELECT count(*) AS n, sum(hash(m)) AS sum FROM (SELECT * FROM market_chart) m',
    )
  )[0]
/** Neighbours of two coins: as many as coins where each coin lies together. */
const changes = async (): Promise<number> =>
  Number(
    (
      await rowsOf(
        store.connection,
        `SELECT count(*) AS n FROM (SELECT coin_id <> lag(coin_id) OVER (ORDER BY rowid) AS other
         FROM market_chart) WHERE other`,
      )
    )[0]?.['n'],
  )

test('rows that hourly loads have mixed are sorted once, in turns, with their values', async () => {
  await loaded('ts, coin_id', 1)
  const before = await content()
  expect(await changes()).toBeGreaterThan(COINS * HOURS * 0.9)
  await sortTail(store.connection, chart, alone, BOUNDS)
  expect(await changes()).toBe(COINS - 1)
  expect(await content()).toEqual(before)
  // Five stretches of up to 30,000 rows, and the mark.
  expect(turns).toBe(6)
  await sortTail(store.connection, chart, alone, BOUNDS)
  expect(turns).toBe(6)

  await loaded('ts, coin_id', 2)
  await sortTail(store.connection, chart, alone, BOUNDS)
  expect(await changes()).toBe(2 * COINS - 1)
})

test('a turn has as many rows of a table as fit the memory of DuckDB', async () => {
  // 400,000 rows of 14 columns: two turns of three million values, and the mark.
  await loaded('ts, coin_id', 1, 4_000)
  await sortTail(store.connection, chart, alone, { maxOtherRows: BOUNDS.maxOtherRows })
  expect(turns).toBe(3)
  expect(await changes()).toBe(COINS - 1)
})

test('one series in order behind many in disorder hides nothing', async () => {
  await loaded('ts, coin_id', 1)
  await oneMore(1_000)
  await sortTail(store.connection, chart, alone, BOUNDS)
  expect(await changes()).toBe(COINS)
})

test('rows that are neither sorted nor too mixed are checked again', async () => {
  await loaded('ts, coin_id', 1, 3_000)
  await oneMore(100_000)
  await store.run('UPDATE _loads SET rows_inserted = 400_000')
  await sortTail(store.connection, chart, alone, { ...BOUNDS, maxOtherRows: 370_000 })
  expect(turns).toBe(0)
  await sortTail(store.connection, chart, alone, { ...BOUNDS, maxOtherRows: 290_000 })
  expect(await changes()).toBe(COINS)
})

test('rows that lie by series, and few rows, stay where they are', async () => {
  await loaded('coin_id, ts', 1)
  await sortTail(store.connection, chart, alone, BOUNDS)
  // Its mark alone: it is not looked at again.
  expect(turns).toBe(1)
  await store.load({
    points: [['amp', '2024-01-01T00:00:00Z', 1]],
    coins: [['amp', '1', null, null]],
  })
  for (const table of [chart, coins]) await sortTail(store.connection, table, alone, BOUNDS)
  expect(turns).toBe(1)
})
