import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTableSql, quoteName } from '../../../datasets/ddl.ts'
import { storeReader } from '../../../sinks/publish/store-reader.ts'
import type { StoreReader } from '../../../sinks/publish/store-reader.ts'
import { sortedPieces } from '../../../sinks/publish-duckdb/sorted-pieces.ts'
import { chart } from './sample-store.ts'

/** One coin has more rows than a piece may have, one name holds a quote, rows come in no order. */
const ROWS_BY_COIN = { ethereum: 3, "it's": 4, bitcoin: 25, aave: 2, Zcash: 5, é: 1, xrp: 9 }
const ROWS = Object.values(ROWS_BY_COIN).reduce((sum, rows) => sum + rows, 0)
const MAX_ROWS = 8

let instance: DuckDBInstance
let connection: DuckDBConnection
let store: StoreReader

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  store = await storeReader(connection)
  await connection.run(createTableSql(chart, { qualifier: '' }))
  for (const [coin, rows] of Object.entries(ROWS_BY_COIN)) {
    await connection.run(
      `INSERT INTO market_chart BY NAME SELECT $coin AS coin_id, 'usd' AS vs_currency,
         '1h' AS granularity, ts, ts AS bucket_at, ts::DATE AS bucket_date, false AS is_provisional,
         ts AS fetched_at, 's' AS slice_id, 1 AS load_id
       FROM (SELECT make_timestamp(h * 3600000000)::TIMESTAMPTZ AS ts FROM range(${rows}, 0, -1) t(h))`,
      { coin },
    )
  }
})

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const sort = chart.sort.map(quoteName).join(', ')

async function keys(condition: string): Promise<unknown[]> {
  return await store.rows(
    `SELECT ${sort} FROM ${store.table('market_chart')} WHERE ${condition} ORDER BY ${sort}`,
  )
}

test('pieces, sorted one after the other, are the table sorted', async () => {
  const pieces = await sortedPieces(store, chart, MAX_ROWS)
  expect(pieces.length).toBeGreaterThan(2)
  const inPieces: unknown[] = []
  const sizes: number[] = []
  for (const piece of pieces) {
    const rows = await keys(piece)
    sizes.push(rows.length)
    inPieces.push(...rows)
  }
  expect(inPieces).toHaveLength(ROWS)
  expect(inPieces).toEqual(await keys('true'))
  // A coin is never cut, so the largest piece is the one that the largest coin ends.
  expect(Math.max(...sizes)).toBeLessThan(MAX_ROWS + ROWS_BY_COIN.bitcoin)
})

test('a table that is small enough, or whose rows no range would hold, stays whole', async () => {
  expect(await sortedPieces(store, chart, ROWS)).toEqual(['true'])
  expect(await sortedPieces(store, { ...chart, sort: ['ts'] }, MAX_ROWS)).toEqual(['true'])
  expect(await sortedPieces(store, { ...chart, key: ['ts'] }, MAX_ROWS)).toEqual(['true'])
})
