import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../../api/operations.ts'
import { frozenClock } from '../../../config/clock.ts'
import type { Dataset, RowSelection, TableSpec } from '../../../datasets/dataset.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { datasets, tableByName } from '../../../datasets/index.ts'
import type { AnswerSource } from '../../../service/answer-source.ts'
import { openPublishedFile } from '../../../service/warehouse/open-published-file.ts'
import { readRows } from '../../../service/warehouse/read-rows.ts'
import {
  createPublishedSource,
  createWarehouseSource,
} from '../../../service/warehouse/warehouse-source.ts'
import { askDuckdb, memoryDuckdb } from '../../parts/duckdb.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { asking } from '../tiny-market.ts'

const T0_MS = Date.UTC(2024, 0, 1)

/** One column of every type, with a name that needs quotes. */
const TABLE: TableSpec = {
  name: 'odd "table"',
  description: 'For this test.',
  columns: [
    { name: 'id', type: 'string', unit: null, description: '', nullable: false },
    { name: 'ts', type: 'timestamp', unit: null, description: '' },
    { name: 'day', type: 'date', unit: null, description: '' },
    { name: 'select', type: 'double', unit: null, description: '' },
    { name: 'count "n"', type: 'integer', unit: null, description: '' },
    { name: 'flag', type: 'boolean', unit: null, description: '' },
    { name: 'extra', type: 'json', unit: null, description: '' },
  ],
  key: ['id', 'ts'],
  sort: ['id', 'ts'],
  load: 'snapshot',
  monthBy: null,
}

describe('selections', async () => {
  const connection = await memoryDuckdb(afterAll)
  await connection.run(createTableSql(TABLE))
  const lineage = `now(), 's', 1`
  await connection.run(
    `INSERT INTO "odd ""table""" VALUES
        ('a', '2024-01-01 00:00:00.001+00', '2024-01-01', 0.1, 9007199254740991, true, '{"x":1}', ${lineage}),
        ('a', '2024-01-01 01:00:00+00', '2023-12-31', NULL, NULL, NULL, NULL, ${lineage}),
        ('b''; --', '2024-01-01 02:00:00+00', '1969-07-20', '-0.0'::DOUBLE, -5, false, '', ${lineage}),
        ('𝕏', '2024-01-02 00:00:00+00', '2024-02-29', 1e-320, 0, false, NULL, ${lineage})`,
  )

  async function ids(selection: Partial<RowSelection>): Promise<unknown[]> {
    const all = { table: TABLE.name, orderBy: [{ column: 'ts' }] }
    const rows = await readRows(connection, TABLE, { ...all, ...selection }, false)
    return rows.map((row) => [row['id'], (row['ts'] as number) - T0_MS])
  }

  test('every type comes in the form of Row', async () => {
    const all = { table: TABLE.name, orderBy: [{ column: 'ts' }] }
    const rows = await readRows(connection, TABLE, all, false)
    const expected = [
      ['a', T0_MS + 1, '2024-01-01', 0.1, 9007199254740991, true, '{"x":1}'],
      ['a', T0_MS + 3_600_000, '2023-12-31', null, null, null, null],
      ["b'; --", T0_MS + 7_200_000, '1969-07-20', -0, -5, false, ''],
      ['𝕏', T0_MS + 86_400_000, '2024-02-29', 1e-320, 0, false, null],
    ]
    const names = TABLE.columns.map(({ name }) => name)
    expect(rows).toEqual(
      expected.map((row) => Object.fromEntries(row.map((value, place) => [names[place], value]))),
    )
  })

  const A1 = ['a', 1]
  const A2 = ['a', 3_600_000]
  const B = ["b'; --", 7_200_000]
  const X = ['𝕏', 86_400_000]
  const LARGE = { equals: { 'count "n"': 9007199254740991 } }
  const between = (from: number, to: number): Partial<RowSelection> => ({
    between: { column: 'ts', fromMs: T0_MS + from, toMs: T0_MS + to },
  })
  const newest = (at: number, more: object = {}): Partial<RowSelection> => ({
    newest: { column: 'ts', nowMs: T0_MS + at, ...more },
  })
  const UNFILTERED = { per: ['id'], unfiltered: true }
  test.each<[string, Partial<RowSelection>, unknown[]]>([
    ['everything', {}, [A1, A2, B, X]],
    ['equal text', { equals: { id: "b'; --" } }, [B]],
    ['equal number', { equals: { 'count "n"': -5 } }, [B]],
    ['equal time', { equals: { ts: T0_MS + 3_600_000 } }, [A2]],
    ['one of', { oneOf: { column: 'id', values: ['𝕏', 'a', 'zz'] } }, [A1, A2, X]],
    ['one of none', { oneOf: { column: 'id', values: [] } }, []],
    ['between, both bounds inclusive', between(1, 7_200_000), [A1, A2, B]],
    ['between parts of a millisecond', between(1.5, 3_600_000.5), [A2]],
    ['between, up to a part of a millisecond before a row', between(0, 0.5), []],
    ['newest', newest(7_200_000), [B]],
    ['newest among those that match', { equals: { id: 'a' }, ...newest(T0_MS) }, [A2]],
    ['newest of each', newest(80_000_000, { per: ['id'] }), [A2, B]],
    ['newest of each, matching or not', { ...LARGE, ...newest(T0_MS, UNFILTERED) }, []],
    ['newest of each before another came', { ...LARGE, ...newest(1, UNFILTERED) }, [A1]],
    ['newest of nothing', newest(0), []],
    [
      'order',
      { orderBy: [{ column: 'select', descending: true }, { column: 'ts' }] },
      [A1, X, B, A2],
    ],
    ['limit and offset', { limit: 2, offset: 1 }, [A2, B]],
  ])('%s', async (_, selection, expected) => {
    expect(await ids(selection)).toEqual(expected)
  })
})

/** A source that closes its instance with itself. */
function sourceOver(instance: DuckDBInstance, of: readonly Dataset[] = datasets) {
  const clock = frozenClock(T0_MS)
  const [connect, close] = [() => instance.connect(), () => instance.closeSync()]
  return createWarehouseSource({ connect, datasets: of, clock, close })
}

/** A source with these tables, each with one row of the id. */
async function sourceWith(id: string, names: readonly string[]): Promise<AnswerSource> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const name of names) {
    await connection.run(createTableSql(tableByName(name)!, { lineage: false }))
  }
  if (names.includes('coins')) {
    await connection.run(
      `INSERT INTO coins BY NAME SELECT '${id}' AS coin_id, '' AS symbol, 'B' AS name, 1 AS list_ordinal, now() AS first_seen_at, now() AS last_seen_at`,
    )
  }
  return sourceOver(instance)
}

describe('a dataset that was never exported', () => {
  const COINS = ['coins', 'coin_platforms', 'exchanges', 'exchange_stats']
  const ASKED = {
    id: 'bitcoin',
    ids: 'bitcoin',
    contract_address: '0xab',
    contract_addresses: '0xab',
    vs_currency: 'usd',
    vs_currencies: 'usd',
    days: '1',
    from: '0',
    to: '1',
    date: '2024-01-01',
    query: 'b',
  }
  const READ_FROM_OTHERS = ['coins/list', 'exchanges/list', 'exchanges', 'search']

  test.each((Object.keys(operations) as OperationId[]).filter((id) => id !== 'ping'))(
    '%s has no data',
    async (operation) => {
      const none = await sourceWith('bitcoin', [])
      expect(await none.answer(operation, ASKED)).toEqual({ kind: 'no_data' })
      await none.close()
      // A known coin is no quote, no ticker and no chart.
      const others = await sourceWith('bitcoin', COINS)
      const kind = READ_FROM_OTHERS.includes(operation) ? 'json' : 'no_data'
      expect(await others.answer(operation, ASKED)).toMatchObject({ kind })
      await others.close()
    },
  )

  test.each<[string, OperationId, unknown]>([
    ['derivative_tickers', 'derivatives', []],
    ['category_markets', 'coins/categories', []],
    ['price_quotes', 'simple/price', {}],
  ])('an empty table %s is exported, and %s empty', async (table, operation, body) => {
    const source = await sourceWith('bitcoin', [table])
    expect(await source.answer(operation, ASKED)).toEqual({ kind: 'json', body })
    await source.close()
  })

  test.each([
    [[], 'not_found'],
    [['coins'], 'json'],
  ])('a text that is not among the recorded searches, beside %j, is %s', async (names, kind) => {
    const source = await sourceWith('bitcoin', ['searches', 'search_results', ...names])
    expect(await source.answer('search', ASKED)).toMatchObject({ kind })
    await source.close()
  })

  test('the refusal names the operation, not the id', async () => {
    const ask = asking(await sourceWith('bitcoin', COINS))
    expect(await ask('coins/bitcoin/tickers')).toEqual({
      status: 404,
      body: { error: 'not found: this service has no data of coins/{id}/tickers' },
    })
    expect(await ask('ping')).toEqual({ status: 200, body: { status: 'OK' } })
  })
})

test('many questions at once share the connections and get their own answers', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const spec = tableByName('market_chart')!
  await connection.run(createTableSql(spec, { lineage: false }))
  await connection.run(
    `INSERT INTO market_chart BY NAME SELECT 'coin' || i AS coin_id, 'usd' AS vs_currency, '1d' AS granularity,
      TIMESTAMPTZ '2024-01-01 00:00:00+00' AS ts, ts AS bucket_at, DATE '2024-01-01' AS bucket_date, i::DOUBLE AS price
      FROM range(50) t(i)`,
  )
  const source = await sourceOver(instance)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      return source.answer('coins/{id}/market_chart', {
        id: `coin${i}`,
        vs_currency: 'usd',
        days: 'max',
      })
    }),
  )
  answers.forEach((answered, i) => {
    expect(answered).toMatchObject({ kind: 'json', body: { prices: [[T0_MS, i]] } })
  })
  await source.close()
})

test('a dataset whose answer fails leaves the source working', async () => {
  const broken = {
    ...datasets[0]!,
    answers: {
      exchange_rates: {
        select: () => [],
        toBody: () => {
          throw new Error('broken')
        },
      },
    },
  } satisfies Dataset
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(createTableSql(broken.tables[0]!))
  const source = await sourceOver(instance, [broken])
  for (let i = 0; i < 5; i++) {
    await expect(source.answer('exchange_rates', {})).rejects.toThrow('broken')
  }
  await source.close()
})

describe('opening a published file', () => {
  const folder = tempDir(afterAll)
  beforeAll(async () => {
    await askDuckdb(join(folder, 'good.duckdb'), 'CREATE TABLE t AS SELECT 1 AS one')
    symlinkSync('good.duckdb', join(folder, 'link.duckdb'))
    symlinkSync('gone.duckdb', join(folder, 'dangling.duckdb'))
    writeFileSync(join(folder, 'text.duckdb'), 'not a database, but long enough to be looked at')
    writeFileSync(join(folder, 'empty.duckdb'), '')
  })
  test('the link leads to the file, which cannot be written', async () => {
    const instance = await openPublishedFile(join(folder, 'link.duckdb'))
    const connection = await instance.connect()
    expect((await connection.runAndReadAll('FROM t')).getRowsJS()).toEqual([[1]])
    await expect(connection.run('CREATE TABLE u (a INT)')).rejects.toThrow(/read-only/)
    connection.closeSync()
    instance.closeSync()
  })

  test('a published file is a source; its views and foreign tables do not disturb', async () => {
    const source = await createPublishedSource(join(folder, 'link.duckdb'), frozenClock(T0_MS))
    expect(await source.answer('ping', {})).toEqual({ kind: 'json', body: { status: 'OK' } })
    expect(await source.answer('exchange_rates', {})).toMatchObject({ kind: expect.any(String) })
    await source.close()
  })

  test.each([
    ['none.duckdb', 'WAREHOUSE_NOT_FOUND', 'coinlake backfill'],
    ['dangling.duckdb', 'WAREHOUSE_NOT_FOUND', 'coinlake backfill'],
    ['.', 'WAREHOUSE_NOT_FOUND', 'coinlake backfill'],
    ['text.duckdb', 'WAREHOUSE_NOT_DUCKDB', 'not the store'],
    ['empty.duckdb', 'WAREHOUSE_NOT_DUCKDB', 'not the store'],
  ])('%s is %s', async (name, code, hint) => {
    const path = join(folder, name)
    await expect(openPublishedFile(path)).rejects.toMatchObject({
      code,
      exitCode: 2,
      message: expect.stringContaining(path),
      hint: expect.stringContaining(hint),
    })
  })
})
