import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OperationId } from '../../../api/operations.ts'
import { frozenClock } from '../../../config/clock.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { datasets, tableByName } from '../../../datasets/index.ts'
import { createWarehouseSource } from '../../../service/warehouse/warehouse-source.ts'

const NOW = Date.UTC(2024, 0, 9)

let instance: DuckDBInstance

/** A day of chosen coins that took two requests, after a day that also had a coin that is gone now. */
beforeEach(async () => {
  instance = await DuckDBInstance.create(':memory:')
  await run(createTableSql(tableByName('coin_markets')!))
  await run(
    'CREATE TABLE _slices (slice_id VARCHAR, dataset VARCHAR, from_at TIMESTAMPTZ, to_at TIMESTAMPTZ)',
  )
  await slice('mon', '2024-01-01 00:00:00Z', '2024-01-01 00:10:00Z', ['a', 'b', 'gone'])
  await slice('tue-1', '2024-01-02 00:00:00Z', '2024-01-02 00:10:00Z', ['a', 'b'])
  await slice('tue-2', '2024-01-02 00:00:00Z', '2024-01-02 03:10:07Z', ['c', 'd'])
})
afterEach(() => instance.closeSync())

async function run(sql: string): Promise<void> {
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
}

async function slice(id: string, fromAt: string, observedAt: string, coins: string[], hours = 24) {
  await run(`INSERT INTO _slices SELECT '${id}', 'coin_markets', from_at, from_at + to_hours(${hours})
    FROM (SELECT TIMESTAMPTZ '${fromAt}' AS from_at)`)
  await run(`INSERT INTO coin_markets BY NAME
    SELECT unnest(['${coins.join("','")}']) AS coin_id, 'usd' AS vs_currency, TIMESTAMPTZ '${observedAt}' AS observed_at,
      observed_at::DATE AS observed_date, 0 AS ordinal, 1.5 AS current_price, observed_at AS fetched_at, '${id}' AS slice_id,
      1 AS load_id`)
}

async function answered(operation: OperationId, params: Record<string, string>, nowMs = NOW) {
  const connect = () => instance.connect()
  const source = await createWarehouseSource({ connect, datasets, clock: frozenClock(nowMs) })
  const { body } = (await source.answer(operation, params)) as { body: unknown }
  await source.close()
  return body
}

async function listed(params: Record<string, string> = {}, nowMs?: number): Promise<string[]> {
  const inOrder = { vs_currency: 'usd', order: 'id_asc', ...params }
  const body = await answered('coins/markets', inOrder, nowMs)
  return (body as { id: string }[]).map(({ id }) => id)
}

test('all slices of the newest bucket are one listing, and only they', async () => {
  expect(await listed()).toEqual(['a', 'b', 'c', 'd'])
  expect(await listed({ ids: 'd,a,gone' })).toEqual(['a', 'd'])
  expect(await listed({ per_page: '3', page: '2' })).toEqual(['d'])
})

test('pages of coins without a market cap have each coin once', async () => {
  const coins = Array.from({ length: 60 }, (_, i) => `coin-${i}`)
  await slice('wed-1', '2024-01-03 00:00:00Z', '2024-01-03 00:10:00Z', coins.slice(0, 30))
  await slice('wed-2', '2024-01-03 00:00:00Z', '2024-01-03 00:10:01Z', coins.slice(30))
  const paged: string[] = []
  for (let page = 1; page <= 10; page++) {
    paged.push(...(await listed({ order: 'market_cap_desc', per_page: '7', page: String(page) })))
  }
  expect(paged.toSorted()).toEqual(coins.toSorted())
})

test('a search finds coins of all slices', async () => {
  await slice('wed-1', '2024-01-03 00:00:00Z', '2024-01-03 00:10:00Z', ['bit-a', 'a'])
  await slice('wed-2', '2024-01-03 00:00:00Z', '2024-01-03 00:10:01Z', ['bit-b', 'b'])
  const coins = [{ id: 'bit-a' }, { id: 'bit-b' }]
  expect(await answered('search', { query: 'bit' })).toMatchObject({ coins })
})

test('an earlier time has what was read by then', async () => {
  expect(await listed({}, Date.UTC(2024, 0, 2, 1))).toEqual(['a', 'b'])
  expect(await listed({}, Date.UTC(2024, 0, 1, 12))).toEqual(['a', 'b', 'gone'])
  expect(await listed({}, Date.UTC(2023, 0, 1))).toEqual([])
})

test('a coin that is read again in the same bucket is there once', async () => {
  await slice('tue-3', '2024-01-02 00:00:00Z', '2024-01-02 09:00:00Z', ['b', 'e'])
  expect(await listed()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('an hour of some coins leaves the listing of its day, and no other day, beside it', async () => {
  await slice('hour', '2024-01-02 09:00:00Z', '2024-01-02 09:05:00Z', ['a'], 1)
  expect(await listed()).toEqual(['a', 'b', 'c', 'd'])
  await slice('next', '2024-01-03 00:00:00Z', '2024-01-03 00:05:00Z', ['a'], 1)
  expect(await listed()).toEqual(['a'])
})

test('a source whose clock is behind the bucket is answered from all the same', async () => {
  await slice('wed', '2024-01-03 00:00:00Z', '2024-01-02 23:59:58Z', ['a', 'z'])
  expect(await listed()).toEqual(['a', 'z'])
})

test('without a ledger the newest time is the listing', async () => {
  await run('DROP TABLE _slices')
  expect(await listed()).toEqual(['c', 'd'])
})
