import { afterAll, beforeAll, expect, test } from 'vitest'
import { allTables, tableByName } from '../../../datasets/index.ts'
import { createTableSql, quoteText } from '../../../datasets/table/ddl.ts'
import { latestSnapshots } from '../../../sinks/views/latest-snapshots.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

const lake = await memoryDuckdb(afterAll)

beforeAll(async () => {
  for (const table of allTables) await lake.run(createTableSql(table, { lineage: false }))
  for (const { name, sql } of latestSnapshots) {
    // That one reads newest rows: test/sinks/publish/views.test.ts.
    if (name !== 'latest_markets') await lake.run(`CREATE VIEW ${name} AS ${sql}`)
  }
})

/** Puts rows into a table in place of its own; what they do not say and may not be NULL is '', 0 or the first day. */
async function put(name: string, rows: readonly Record<string, string | number>[]): Promise<void> {
  const nothing: Record<string, string | number> = { string: '', integer: 0, date: '2024-06-01' }
  const { columns } = tableByName(name)!
  const values = rows.map((row) => {
    const cells = columns.map((column) => {
      const cell =
        row[column.name] ?? (column.nullable === false ? nothing[column.type] : undefined)
      return cell === undefined ? 'NULL' : quoteText(String(cell))
    })
    return `(${cells.join(', ')})`
  })
  await lake.run(`DELETE FROM ${name}`)
  if (values.length > 0) await lake.run(`INSERT INTO ${name} VALUES ${values.join(', ')}`)
}

async function rows(sql: string): Promise<unknown[]> {
  return (await lake.runAndReadAll(sql)).getRowsJson()
}

const at = (hour: number, second = 0): string =>
  new Date(Date.UTC(2024, 5, 1, hour, 0, second)).toISOString()

test('every snapshot with several rows an observation has one, and no other table', () => {
  const several = allTables.filter(({ load, key }) => load === 'snapshot' && key.length > 1)
  const names = several.map(({ name }) => `latest_${name}`.replace('_coin_markets', '_markets'))
  expect(latestSnapshots.map(({ name }) => name)).toEqual(names)
})

test('exchange_tickers: of each exchange its own newest, marked pairs counted, a pair that left is gone', async () => {
  const pair = (exchange_id: string, base: string, observed_at: string, more = {}) => {
    return { exchange_id, base, observed_at, volume: 7, ...more }
  }
  await put('exchange_tickers', [
    pair('kraken', 'BTC', at(1)),
    pair('kraken', 'GONE', at(1)),
    pair('kraken', 'OLD', at(1), { is_stale: 'true' }),
    pair('kraken', 'BTC', at(2), { is_stale: 'false' }),
    pair('kraken', 'ETH', at(2)),
    pair('kraken', 'ODD', at(2), { is_anomaly: 'true', is_stale: 'false' }),
    pair('kraken', 'LATE', at(2), { is_stale: 'true' }),
    pair('binance', 'BTC', at(2, 5)),
    pair('closed', 'BTC', at(0)),
  ])
  const found = await rows(
    `SELECT exchange_id, base, volume_24h, left_out::INTEGER, epoch(observed_at)::INTEGER % 86400
     FROM latest_exchange_tickers ORDER BY ALL`,
  )
  expect(found).toEqual([
    ['binance', 'BTC', 7, 0, 7205],
    ['closed', 'BTC', 7, 0, 0],
    ['kraken', 'BTC', 7, 2, 7200],
    ['kraken', 'ETH', 7, 2, 7200],
  ])
})

test('derivative_tickers: the newest list whole; a contract that has ended is not in it', async () => {
  await put('derivative_tickers', [
    { market_name: 'A', symbol: 'BTC-MAY', observed_at: at(1), ordinal: 0 },
    { market_name: 'A', symbol: 'BTC-PERP', observed_at: at(1), ordinal: 1 },
    { market_name: 'A', symbol: 'BTC-PERP', observed_at: at(2), ordinal: 0 },
    { market_name: 'B', symbol: 'BTC-PERP', observed_at: at(2), ordinal: 1 },
  ])
  const found = await rows('SELECT market_name, symbol FROM latest_derivative_tickers ORDER BY ALL')
  expect(found).toEqual([
    ['A', 'BTC-PERP'],
    ['B', 'BTC-PERP'],
  ])
})

test('parts of an entity: those of its newest observation, also when that had none', async () => {
  await put('coin_details', [
    { coin_id: 'amp', observed_at: at(1) },
    { coin_id: 'amp', observed_at: at(2) },
    { coin_id: 'bolt', observed_at: at(1) },
  ])
  await put('coin_detail_links', [
    { coin_id: 'amp', kind: 'homepage', ordinal: 0, observed_at: at(1), url: 'a' },
    { coin_id: 'bolt', kind: 'homepage', ordinal: 0, observed_at: at(1), url: 'b' },
  ])
  expect(await rows('SELECT coin_id, url FROM latest_coin_detail_links')).toEqual([['bolt', 'b']])
})

test('quotes of two orders: of each coin and currency its own newest; an unknown cap is NULL', async () => {
  const quote = (coin_id: string, vs_currency: string, hour: number, market_cap: number) => {
    return { coin_id, vs_currency, observed_at: at(hour), market_cap }
  }
  await put('price_quotes', [
    quote('amp', 'usd', 1, 5),
    quote('amp', 'usd', 3, 0),
    quote('amp', 'eur', 2, 6),
    quote('bolt', 'usd', 1, 8),
  ])
  const found = await rows(
    'SELECT coin_id, vs_currency, market_cap FROM latest_price_quotes ORDER BY ALL',
  )
  expect(found).toEqual([
    ['amp', 'eur', 6],
    ['amp', 'usd', null],
    ['bolt', 'usd', 8],
  ])
})
