import { DOUBLE, type DuckDBConnection, DuckDBInstance, VARCHAR } from '@duckdb/node-api'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { createTableSql, storedColumns } from '../../../datasets/table/ddl.ts'
import { universesTable } from '../../../sinks/ledger/order-tables.ts'
import { schemaVersionsTable } from '../../../sinks/ledger/row-tables.ts'
import {
  loadsTable,
  quarantineTable,
  requestsTable,
  runsTable,
} from '../../../sinks/ledger/run-tables.ts'

/** A facts table with every column type and nullable columns, named and shaped like the real one. */
export const chart: TableSpec = {
  name: 'market_chart',
  description: "Points of a coin's price; the description has a 'quote' and an é.",
  load: 'facts',
  monthBy: 'ts',
  key: ['coin_id', 'vs_currency', 'granularity', 'ts'],
  sort: ['coin_id', 'vs_currency', 'granularity', 'ts'],
  columns: [
    { name: 'coin_id', type: 'string', unit: null, nullable: false, description: 'Coin.' },
    { name: 'vs_currency', type: 'string', unit: null, nullable: false, description: 'Currency.' },
    { name: 'granularity', type: 'string', unit: null, nullable: false, description: 'Step.' },
    { name: 'ts', type: 'timestamp', unit: 'UTC', nullable: false, description: 'Point.' },
    { name: 'bucket_at', type: 'timestamp', unit: 'UTC', nullable: false, description: 'Bucket.' },
    { name: 'price', type: 'double', unit: 'vs_currency', description: 'Price.' },
    { name: 'market_cap', type: 'double', unit: 'vs_currency', description: 'Cap.' },
    { name: 'total_volume', type: 'double', unit: 'vs_currency', description: 'Volume.' },
    { name: 'bucket_date', type: 'date', unit: 'UTC', nullable: false, description: 'Day.' },
  ],
}

/** A table that is one file, with the types that the chart has not. */
export const coins: TableSpec = {
  name: 'coins',
  description: 'Coins.',
  load: 'catalogue',
  monthBy: null,
  key: ['coin_id'],
  sort: ['coin_id'],
  columns: [
    { name: 'coin_id', type: 'string', unit: null, nullable: false, description: 'Coin.' },
    { name: 'rank', type: 'integer', unit: null, description: 'Rank.' },
    { name: 'is_stale', type: 'boolean', unit: null, description: 'Stale.' },
    { name: '_extra', type: 'json', unit: null, description: 'The rest.' },
  ],
}

export const sampleTables: readonly TableSpec[] = [chart, coins]

/** A chart point: `['bitcoin', '2024-01-01T00:00:00Z', 42.5]`, then market cap and provisional. */
export type Point = [
  coin: string,
  at: string,
  price: number | null,
  cap?: number | null,
  granularity?: '1h' | '1d',
  provisional?: boolean,
]

/** A store as the publications see it: tables and the ledger they read. Ours to write to. */
export interface SampleStore {
  connection: DuckDBConnection
  /** One load: adds points and coins, marks their months dirty. */
  load(rows: { points?: readonly Point[]; coins?: readonly (string | null)[][] }): Promise<void>
  /** One load that takes all points of a month away. */
  empty(month: string): Promise<void>
  run(sql: string): Promise<void>
  close(): void
}

export async function openSampleStore(file: string): Promise<SampleStore> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  const run = async (sql: string): Promise<void> => void (await connection.run(sql))
  for (const table of sampleTables) await run(createTableSql(table))
  await run(
    'CREATE TABLE IF NOT EXISTS _slices (slice_id VARCHAR, state VARCHAR, updated_at TIMESTAMPTZ, run_id VARCHAR)',
  )
  const others = [
    loadsTable,
    runsTable,
    requestsTable,
    quarantineTable,
    universesTable,
    schemaVersionsTable,
  ]
  for (const table of others) await run(createTableSql(table, { lineage: false }))
  await run('CREATE TABLE IF NOT EXISTS _unreachable (noted_at TIMESTAMPTZ)')
  await run(
    'CREATE TABLE IF NOT EXISTS _partitions (table_name VARCHAR, month VARCHAR, load_id BIGINT)',
  )
  await run(
    `CREATE TABLE IF NOT EXISTS _contents (table_name VARCHAR, slice_id VARCHAR, load_id BIGINT,
       changed_by BIGINT, row_count BIGINT)`,
  )
  const begin = async (): Promise<number> => {
    const found = await connection.runAndReadAll('SELECT coalesce(max(load_id), 0) + 1 FROM _loads')
    const loadId = Number(found.getRows()[0]?.[0])
    await run(`INSERT INTO _loads VALUES (${loadId}, 'run', now(), 1, 0, 0, 0, 0, 0, '0.1.0')`)
    return loadId
  }
  const dirty = async (table: string, month: string, loadId: number): Promise<void> => {
    await run(`DELETE FROM _partitions WHERE table_name = '${table}' AND month = '${month}'`)
    await run(`INSERT INTO _partitions VALUES ('${table}', '${month}', ${loadId})`)
  }
  /** Notes the rows of a condition, as written (1) or removed (-1) by a load. */
  const note = async (table: string, where: string, loadId: number, sign: 1 | -1): Promise<void> =>
    run(`INSERT INTO _contents SELECT '${table}', slice_id, load_id, ${loadId}, ${sign} * count(*)
         FROM ${table} WHERE ${where} GROUP BY ALL`)
  return {
    connection,
    run,
    async load({ points = [], coins: coinRows = [] }) {
      const loadId = await begin()
      const lineage = `TIMESTAMPTZ '2024-06-01 00:00:00Z', 'slice', ${loadId}`
      for (const [coin, at, price, cap = 1e9, granularity = '1h', provisional = false] of points) {
        await connection.run(
          `INSERT INTO market_chart SELECT $coin, 'usd', '${granularity}', ts,
             time_bucket(INTERVAL '${granularity === '1h' ? '1 hour' : '1 day'}', ts, TIMESTAMPTZ '2000-01-01 00:00:00Z'),
             $price, $cap, 7.5, (ts AT TIME ZONE 'UTC')::DATE, ${provisional}, ${lineage}, ${provisional}
           FROM (SELECT TIMESTAMPTZ '${at}' AS ts)`,
          { coin, price, cap },
          { coin: VARCHAR, price: DOUBLE, cap: DOUBLE },
        )
        await dirty('market_chart', new Date(at).toISOString().slice(0, 7), loadId)
      }
      for (const [coin, rank, stale, extra] of coinRows) {
        await connection.run(
          `INSERT INTO coins SELECT $coin, $rank::BIGINT, $stale::BOOLEAN, $extra, ${lineage}`,
          { coin: coin ?? null, rank: rank ?? null, stale: stale ?? null, extra: extra ?? null },
          { coin: VARCHAR, rank: VARCHAR, stale: VARCHAR, extra: VARCHAR },
        )
        await dirty('coins', 'all', loadId)
      }
      for (const table of ['market_chart', 'coins']) {
        await note(table, `load_id = ${loadId}`, loadId, 1)
      }
    },
    async empty(month) {
      const loadId = await begin()
      const inMonth = `strftime(ts AT TIME ZONE 'UTC', '%Y-%m') = '${month}'`
      await note('market_chart', inMonth, loadId, -1)
      await run(`DELETE FROM market_chart WHERE ${inMonth}`)
      await dirty('market_chart', month, loadId)
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A table's rows in file order, every value as text that is equal only if the value is. */
export async function storeRows(connection: DuckDBConnection, table: TableSpec): Promise<string[]> {
  const reader = await connection.runAndReadAll(rowsSql(table, table.name))
  return reader.getRows().map((row) => JSON.stringify(row.map(exactText)))
}

/** The SELECT behind storeRows, over any relation with the table's columns. */
export function rowsSql(table: TableSpec, relation: string): string {
  const columns = storedColumns(table).map(({ name, type }) => {
    if (type === 'timestamp') return `epoch_us("${name}")::VARCHAR`
    if (type === 'date') return `"${name}"::VARCHAR`
    if (type === 'integer') return `"${name}"::VARCHAR`
    return `"${name}"`
  })
  return `SELECT ${columns.join(', ')} FROM ${relation} ORDER BY ${table.sort.join(', ')}`
}

/** null, booleans and texts as they are; doubles so that -0 and 0 differ. */
export function exactText(value: unknown): string | boolean | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeError(typeof value)
  return Object.is(value, -0) ? '-0' : value.toString()
}
