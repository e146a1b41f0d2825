import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { datasets, tableByName } from '../../../datasets/index.ts'
import { createWarehouseSource } from '../../../service/warehouse/warehouse-source.ts'

/**
 * Two looks at each list: `gone` was there at the first one only, `late` at the second one only. Coins that were there
 * before had another name.
 */
const BEFORE = '2024-12-01 00:00:00+00'
const FIRST_LOOK = '2025-01-01 00:00:00+00'
const LAST_LOOK = '2025-03-01 00:00:00+00'

let instance: DuckDBInstance
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const name of ['coins', 'coin_platforms', 'exchanges']) {
    await connection.run(createTableSql(tableByName(name)!, { lineage: false }))
  }
  const seen = (first: string, last: string): string =>
    `'${first}' AS first_seen_at, '${last}' AS last_seen_at, 0 AS list_ordinal`
  for (const [table, id, symbol] of [
    ['coins', 'coin_id', `'x' AS symbol,`],
    ['exchanges', 'exchange_id', ''],
  ]) {
    await connection.run(
      `INSERT INTO ${table} BY NAME
         SELECT 'gone' AS ${id}, ${symbol} 'Gone' AS name, ${seen(FIRST_LOOK, FIRST_LOOK)}
         UNION ALL BY NAME SELECT 'there' AS ${id}, ${symbol} 'There' AS name, ${seen(FIRST_LOOK, LAST_LOOK)}
         UNION ALL BY NAME SELECT 'late' AS ${id}, ${symbol} 'Late' AS name, ${seen(LAST_LOOK, LAST_LOOK)}`,
    )
  }
  await connection.run(
    `INSERT INTO coins BY NAME SELECT unnest(['gone', 'there']) AS coin_id, 'x' AS symbol, 'Once' AS name, ${seen(BEFORE, BEFORE)}`,
  )
  await connection.run(
    `INSERT INTO coin_platforms VALUES
       ('gone', 'ethereum', '0xab', '${FIRST_LOOK}', '${FIRST_LOOK}'),
       ('there', 'ethereum', '0xcd', '${BEFORE}', '${LAST_LOOK}')`,
  )
  connection.closeSync()
})
afterAll(() => instance.closeSync())

async function listed(operation: 'coins/list' | 'exchanges/list', status: string, at: string) {
  const source = await createWarehouseSource({
    connect: () => instance.connect(),
    datasets,
    clock: frozenClock(Date.parse(at)),
  })
  const answered = await source.answer(operation, { status, include_platform: 'true' })
  await source.close()
  return (answered.kind === 'json' ? answered.body : null) as Record<string, unknown>[]
}

describe.each(['coins/list', 'exchanges/list'] as const)('%s', (operation) => {
  test.each([
    ['active', '2025-03-02T00:00:00Z', ['late', 'there']],
    ['inactive', '2025-03-02T00:00:00Z', ['gone']],
    // As of a day before the last look: what came later is neither listed nor gone.
    ['active', '2025-02-01T00:00:00Z', ['there']],
    ['inactive', '2025-02-01T00:00:00Z', ['gone']],
    ['inactive', '2025-01-01T00:00:00Z', []],
  ])('%s at %s', async (status, at, ids) => {
    const list = await listed(operation, status, at)
    expect(list.map(({ id }) => String(id)).sort()).toEqual(ids)
  })
})

test.each([
  ['that is gone', 'inactive', '2025-03-02T00:00:00Z', 'gone', 'Gone', '0xab'],
  ['under an earlier name', 'active', '2024-12-01T00:00:00Z', 'there', 'Once', '0xcd'],
])('a coin %s keeps its addresses', async (_, status, at, id, name, ethereum) => {
  const list = await listed('coins/list', status, at)
  expect(list).toContainEqual({ id, symbol: 'x', name, platforms: { ethereum } })
})
