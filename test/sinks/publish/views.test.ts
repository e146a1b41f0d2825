import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COIN_MARKETS } from '../../../datasets/coin-markets.ts'
import { allTables } from '../../../datasets/index.ts'
import { createTableSql, duckdbType } from '../../../datasets/table/ddl.ts'
import { coverageView } from '../../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../../sinks/ledger/ledger-tables.ts'
import { analystViews } from '../../../sinks/views/analyst-views.ts'
import { createNewestViews } from './newest-views.ts'
import { publicationOf } from './publication-of.ts'
import { openSampleStore } from './sample-store.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const RUN = { runId: 'run', publishedAtMs: 0, coinlakeVersion: '0.1.0' }
const root = tempDir(afterAll)
/** A session with a table of the same name, which has the published file attached as `lake`. */
const reader = await memoryDuckdb(afterAll)

beforeAll(async () => {
  const store = await openSampleStore(join(root, 'store.duckdb'))
  await store.load({
    points: [
      // Hourly: two points of one hour, an unknown market cap, a point that still moves.
      ['bitcoin', '2024-03-10T00:00:10Z', 100],
      ['bitcoin', '2024-03-10T00:59:50Z', 101, 0],
      ['bitcoin', '2024-03-10T01:20:00Z', 102],
      ['bitcoin', '2024-03-10T23:59:59Z', 103],
      ['bitcoin', '2024-03-11T00:04:00Z', 104],
      ['bitcoin', '2024-03-11T01:00:00Z', 105, 1e9, '1h', true],
      // Daily: a second point of a day, a day that hourly has as well, a point that still moves.
      ['bitcoin', '2024-03-10T00:00:00Z', 200, 0, '1d'],
      ['bitcoin', '2024-03-10T23:29:55Z', 201, 1e9, '1d'],
      ['bitcoin', '2024-03-12T00:00:00Z', 202, 1e9, '1d', true],
      ['ethereum', '2013-12-31T00:00:00Z', 1, 1e9, '1d'],
    ],
  })
  await store.run(`UPDATE market_chart SET total_volume = 0 WHERE coin_id = 'ethereum'`)
  await publicationOf('duckdb', root, store.connection).publish(RUN)
  store.close()

  await reader.run(`ATTACH '${join(root, 'coinlake.duckdb')}' AS lake (READ_ONLY)`)
  await reader.run(`CREATE TABLE market_chart AS SELECT 'wrong' AS coin_id`)
})

async function rows(sql: string): Promise<unknown[]> {
  return (await reader.runAndReadAll(sql)).getRowsJson()
}

const utc = (column: string): string => `strftime(${column} AT TIME ZONE 'UTC', '%m-%d %H:%M:%S')`

describe.each(['UTC', 'Asia/Tokyo', 'America/New_York'])('in the time zone %s', (zone) => {
  beforeAll(async () => {
    await reader.run(`SET TimeZone = '${zone}'`)
  })

  test('hourly_prices: the first settled point of each UTC hour', async () => {
    const sql = `SELECT ${utc('bucket_at')}, bucket_date::VARCHAR, ${utc('as_of')}, price, market_cap, volume_24h
      FROM lake.hourly_prices ORDER BY coin_id, bucket_at`
    expect(await rows(sql)).toEqual([
      ['03-10 00:00:00', '2024-03-10', '03-10 00:00:10', 100, 1e9, 7.5],
      ['03-10 01:00:00', '2024-03-10', '03-10 01:20:00', 102, 1e9, 7.5],
      ['03-10 23:00:00', '2024-03-10', '03-10 23:59:59', 103, 1e9, 7.5],
      ['03-11 00:00:00', '2024-03-11', '03-11 00:04:00', 104, 1e9, 7.5],
    ])
  })

  test('daily_prices: the point that opens each UTC day, daily before hourly', async () => {
    const sql = `SELECT coin_id, bucket_date::VARCHAR, close_of_date::VARCHAR, ${utc('as_of')}, granularity, price,
        market_cap, volume_24h
      FROM lake.daily_prices ORDER BY coin_id, bucket_date`
    expect(await rows(sql)).toEqual([
      ['bitcoin', '2024-03-10', '2024-03-09', '03-10 00:00:00', '1d', 200, null, 7.5],
      ['bitcoin', '2024-03-11', '2024-03-10', '03-11 00:04:00', '1h', 104, 1e9, 7.5],
      ['ethereum', '2013-12-31', '2013-12-30', '12-31 00:00:00', '1d', 1, 1e9, null],
    ])
  })
})

test('latest_markets: the newest row of each coin and currency; an unknown cap is NULL', async () => {
  const { sql } = analystViews.find(({ name }) => name === 'latest_markets')!
  const connection = await memoryDuckdb()
  await connection.run(createTableSql(COIN_MARKETS))
  await createNewestViews(connection, [COIN_MARKETS])
  await connection.run(
    `INSERT INTO coin_markets (coin_id, vs_currency, observed_at, observed_date, ordinal, market_cap, total_volume,
       fetched_at, slice_id, load_id)
     SELECT coin, currency, seen_at, DATE '2024-01-01', 0, cap, 5, seen_at, 's', 1 FROM (VALUES
       ('amp', 'usd', TIMESTAMPTZ '2024-01-01 00:00:00Z', 1), ('amp', 'usd', TIMESTAMPTZ '2024-01-02 00:00:00Z', 0),
       ('amp', 'eur', TIMESTAMPTZ '2024-01-01 00:00:00Z', 2), ('gone', 'usd', TIMESTAMPTZ '2023-01-01 00:00:00Z', 3)
     ) seen(coin, currency, seen_at, cap)`,
  )
  const found = await connection.runAndReadAll(
    `SELECT coin_id, vs_currency, epoch_ms(observed_at)::DOUBLE, market_cap, volume_24h
     FROM (${sql}) ORDER BY 1, 2`,
  )
  expect(found.getRows()).toEqual([
    ['amp', 'eur', Date.parse('2024-01-01'), 2, 5],
    ['amp', 'usd', Date.parse('2024-01-02'), null, 5],
    ['gone', 'usd', Date.parse('2023-01-01'), 3, 5],
  ])
})

describe('every view', async () => {
  const connection = await memoryDuckdb(afterAll)

  beforeAll(async () => {
    for (const table of allTables) await connection.run(createTableSql(table))
    await createNewestViews(connection, allTables)
    for (const table of ledgerTables) {
      await connection.run(createTableSql(table, { lineage: false }))
    }
    const columns = coverageView.columns.map(({ name, type }) => `${name} ${duckdbType(type)}`)
    await connection.run(`CREATE TABLE ${coverageView.name} (${columns.join(', ')})`)
    // In their order, as some read others.
    for (const { name, sql } of analystViews) await connection.run(`CREATE VIEW ${name} AS ${sql}`)
  })

  test.each(analystViews.map((view) => [view.name, view] as const))(
    '%s binds to the real tables and its columns are as described',
    async (_name, view) => {
      const found = await connection.runAndReadAll(`DESCRIBE ${view.sql}`)
      const types = found
        .getRowObjects()
        .map((row) => [String(row['column_name']), String(row['column_type'])] as const)
      const described = view.columns.map(({ name, type }) => [name, duckdbType(type)])
      const names: Record<string, string> = { 'TIMESTAMP WITH TIME ZONE': 'TIMESTAMPTZ' }
      expect(types.map(([name, type]) => [name, names[type] ?? type])).toEqual(described)
    },
  )

  test('market_chart_versions: a point that moved away and came back is known once at a time', async () => {
    await connection.run(
      `INSERT INTO _revisions
       SELECT 'market_chart', {coin_id: 'amp', ts: ts}::JSON, {price: price}::JSON, '{}',
         make_timestamptz(2024, 5, seen, 0, 0, 0, 'UTC'), make_timestamptz(2024, 5, replaced, 0, 0, 0, 'UTC'), 1, 2
       FROM (VALUES ('2024-05-01 00:01:00Z', 1, 2, 3), ('2024-05-01 00:01:30Z', 2, 3, 4),
         ('2024-05-01 00:01:00Z', 3, 4, 6), ('2024-05-01 00:01:00Z', 4, 5, 6)) v(ts, price, seen, replaced)`,
    )
    const found = await connection.runAndReadAll(
      `SELECT price, day(known_from AT TIME ZONE 'UTC')::INTEGER, day(known_to AT TIME ZONE 'UTC')::INTEGER
       FROM market_chart_versions ORDER BY price`,
    )
    expect(found.getRowsJson()).toEqual([
      [1, 2, 3],
      [2, 3, 4],
      // An answer that was loaded late: its value counts from its own time on.
      [3, 4, 5],
      [4, 5, 6],
    ])
  })
})
