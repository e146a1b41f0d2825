import { DAY_MS } from '../../config/values/duration.ts'
import { allTables } from '../../datasets/index.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { treeViewStatements } from '../../sinks/publish-parquet/tree-views.ts'
import { VIEWS_SQL } from '../../sinks/publish-parquet/views-sql.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'
import { memoryDuckdb } from '../parts/duckdb.ts'
import { movableClock, openWarehouse } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'

const NOW_MS = Date.UTC(2025, 5, 15, 12)
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York']
const PAGE = new URL('../../docs/cookbook.md', import.meta.url)
/** A question, its SQL, and the table of its answer, which a new one lacks. */
const RECIPE = /^## \d+\. (.+)\n\n.+\n\n```sql\n([^`]+);\n```\n\n((?:\|.*\n)*)/gm
const TEXT = await readFile(PAGE, 'utf8')
const RECIPES = [...TEXT.matchAll(RECIPE)].map(([whole, question = '', sql = '', table = '']) => {
  return { question, sql, before: whole.slice(0, whole.length - table.length), whole }
})
const SPEC = {
  seed: 3,
  nowMs: NOW_MS,
  coins: 12,
  dailyDays: 400,
  hourlyDays: 12,
  fiveMinute: false,
  exchanges: 5,
  tickersPerExchange: 30,
  rateCurrencies: 20,
  vsCurrencies: ['usd', 'eur'],
}

/** How far the service's clock goes between two looks at it: no two answers have one Date. */
const TICK_MS = 1_000
/** Between two observations every figure moves, and the first contract ends. */
const MOVES = [
  'UPDATE exchange_tickers SET last = last * 1.001, converted_volume_usd = converted_volume_usd * 1.001',
  'UPDATE coin_markets SET current_price = current_price * 1.001, market_cap = market_cap * 1.001',
  `UPDATE exchange_rates SET value = value * 1.001 WHERE currency = 'eur'`,
  'UPDATE category_markets SET market_cap = market_cap * 1.001',
  'UPDATE derivative_tickers SET index_price = index_price * 1.001',
  `DELETE FROM derivative_tickers WHERE open_interest_usd = (
     SELECT max(open_interest_usd) FROM derivative_tickers WHERE contract_type = 'perpetual')`,
  'UPDATE global_market_by_currency SET total_market_cap = total_market_cap * 1.001',
]
/** The columns of an entity that is observed by itself; of other snapshots the whole list is observed at once. */
const OBSERVED_BY: Readonly<Record<string, string>> = {
  exchange_tickers: 'PARTITION BY exchange_id',
  coin_markets: 'PARTITION BY coin_id, vs_currency',
}

/** A session that reads one of the publications, and how it got there. */
interface Session {
  name: string
  connection: DuckDBConnection
}

async function sessionsOf(duckdbFile: string, parquetLink: string): Promise<Session[]> {
  const attached = await memoryDuckdb()
  await attached.run(`ATTACH '${duckdbFile}' AS somebody_elses_name (READ_ONLY)`)
  await attached.run('USE somebody_elses_name')
  const tree = await memoryDuckdb()
  await tree.run(`SET file_search_path = '${parquetLink}'`)
  await tree.run(await readFile(join(parquetLink, VIEWS_SQL), 'utf8'))
  const file = await DuckDBInstance.create(duckdbFile, { access_mode: 'READ_ONLY' })
  return [
    { name: 'the published file', connection: await file.connect() },
    { name: 'the file attached under another name', connection: attached },
    { name: 'the Parquet tree', connection: tree },
  ]
}

/** A session in which `read` makes the rows of a table from those of the published file, `lake.main.<table>`. */
async function sessionWith(
  name: string,
  duckdbFile: string,
  read: (table: TableSpec) => string,
): Promise<Session> {
  const connection = await memoryDuckdb()
  await connection.run(`ATTACH '${duckdbFile}' AS lake (READ_ONLY)`)
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = 'lake' AND schema_name = 'main'`,
  )
  const there = new Set(found.getRows().flat())
  const statements = treeViewStatements(allTables, (table) =>
    there.has(table.name) ? `(${read(table)})` : null,
  )
  for (const statement of statements) await connection.run(statement)
  return { name, connection }
}

/** Only the newest observation of each entity: the base of an answer about now. */
function newestAlone({ name, load }: TableSpec): string {
  const isNewest = `QUALIFY observed_at = max(observed_at) OVER (${OBSERVED_BY[name] ?? ''})`
  return `FROM lake.main.${name} ${load === 'snapshot' ? isNewest : ''}`
}

/** More rows, which no answer about USD and about now may show: other names of long ago, another currency of later. */
const BESIDE: Readonly<Record<string, string>> = {
  coin_markets: `'gone-' || coin_id AS coin_id, market_cap * 1e3 AS market_cap,
    observed_at - INTERVAL 30 DAYS AS observed_at, observed_date - 30 AS observed_date`,
  exchange_tickers: `'gone-' || exchange_id AS exchange_id, last * 2 AS last,
    observed_at - INTERVAL 30 DAYS AS observed_at, observed_date - 30 AS observed_date`,
  market_chart: `'eur' AS vs_currency, ts + INTERVAL 5 DAYS AS ts,
    bucket_at + INTERVAL 5 DAYS AS bucket_at, bucket_date + 5 AS bucket_date`,
}

function withMoreRows({ name }: TableSpec): string {
  const all = `FROM lake.main.${name}`
  const beside = BESIDE[name]
  return beside === undefined ? all : `${all} UNION ALL SELECT * REPLACE (${beside}) ${all}`
}

interface Answer {
  columns: readonly string[]
  /** Values as text; null = NULL. */
  rows: readonly (readonly (string | null)[])[]
}

/** Rows as text, as the same for every client: values are cast by DuckDB itself. */
async function answer(connection: DuckDBConnection, sql: string): Promise<Answer> {
  const found = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
  return {
    columns: found.columnNames(),
    rows: found.getRowsJson() as (string | null)[][],
  }
}

function tableOf({ columns, rows }: Answer): string {
  const cells = rows.map((row) => row.map((value) => value?.replaceAll('|', '\\|') ?? 'NULL'))
  const lines = [columns, columns.map(() => '---'), ...cells]
  return lines.map((line) => `| ${line.join(' | ')} |\n`).join('')
}

test('docs/cookbook.md: every answer, alike in both publications and in any time zone', async () => {
  const clock = movableClock(NOW_MS)
  const nowMs = (): number => {
    clock.set(clock.nowMs() + TICK_MS)
    return clock.nowMs()
  }
  const market = await holdMarket(SPEC, clock)
  const served = await serveInTest({ ...market.source, clock: { nowMs } })
  const warehouse = openWarehouse(served, clock)
  const coins = JSON.stringify(market.coinIds)
  const from = (days: number): string => new Date(NOW_MS - days * DAY_MS).toISOString()
  const chart = `coins: ${coins}, vs_currencies: [usd]`
  const exported = async (order: string[]): Promise<void> => {
    const { report } = await warehouse.export(order)
    expect(report).toMatchObject({ verdict: 'complete', failures: [] })
  }
  const [daily, ...hourly] = market.exchangeIds
  const snapshots = [
    `coin_markets: [{ vs_currencies: [usd] }, { coins: ${coins}, every: 1h, vs_currencies: [usd] }]`,
    'exchange_rates: { every: 1h }',
    'category_markets: { every: 1h }',
    'derivative_tickers: { every: 1h }',
    'global_market: { every: 1h }',
    `exchange_tickers: [{ exchanges: [${daily}] }, { exchanges: ${JSON.stringify(hourly)}, every: 1h }]`,
  ]
  await exported([
    ...snapshots,
    'coins: {}',
    `market_chart: [{ ${chart}, granularity: daily, from: ${from(400)} }, { ${chart}, granularity: hourly, from: ${from(11)} }]`,
    `ohlc: { ${chart}, granularity: 4h, from: ${from(30)} }`,
  ])
  for (const hour of [1, 2]) {
    clock.set(NOW_MS + hour * GRANULARITY_MS['1h'])
    for (const sql of MOVES) await market.connection.run(sql)
    await exported(snapshots)
  }
  const { duckdbLink, parquetLink } = warehouse.paths
  const sessions = await sessionsOf(duckdbLink, parquetLink)
  const newest = await sessionWith('the newest observations alone', duckdbLink, newestAlone)
  const more = await sessionWith('with more rows', duckdbLink, withMoreRows)
  const times = await answer(
    sessions[0]!.connection,
    `SELECT exchange_id = '${daily}' AS is_daily, count(DISTINCT observed_at) / count(DISTINCT exchange_id)
       FROM exchange_tickers GROUP BY is_daily ORDER BY is_daily`,
  )
  expect(times.rows).toEqual([
    ['false', '3.0'],
    ['true', '1.0'],
  ])

  let page = TEXT
  for (const recipe of RECIPES) {
    const [first] = sessions
    const expected = await answer(first!.connection, recipe.sql)
    expect(expected.rows.length, recipe.question).toBeGreaterThan(0)
    page = page.replace(recipe.whole, () => recipe.before + tableOf(expected))
    for (const { name, connection } of [...sessions, newest]) {
      for (const zone of ZONES) {
        await connection.run(`SET TimeZone = '${zone}'`)
        const found = await answer(connection, recipe.sql)
        expect(found, `${recipe.question} (${name}, ${zone})`).toEqual(expected)
      }
      await connection.run(`SET TimeZone = 'UTC'`)
    }
    if (!recipe.question.includes('in the past')) {
      const found = await answer(more.connection, recipe.sql)
      expect.soft(found, `${recipe.question} (${more.name})`).toEqual(expected)
    }
  }

  // An hour's move is that from its own point to the point of the next hour.
  const moves = await answer(
    sessions[0]!.connection,
    `SELECT extract(hour FROM hour.bucket_at AT TIME ZONE 'UTC') AS hour_utc,
       round(100 * avg(abs(next.price / hour.price - 1)), 3) AS mean_move_percent
     FROM hourly_prices AS hour JOIN hourly_prices AS next USING (coin_id, vs_currency)
     WHERE next.bucket_at = hour.bucket_at + INTERVAL 1 HOUR AND coin_id = 'bitcoin'
     GROUP BY hour_utc ORDER BY mean_move_percent DESC, hour_utc LIMIT 4`,
  )
  expect.soft(page).toContain(tableOf(moves))

  // The views whole: doubles to nine digits, as sums depend on the order of rows.
  const there = await answer(sessions[0]!.connection, 'SELECT name FROM (SHOW TABLES)')
  const names = new Set(there.rows.flat())
  for (const { name, columns, needs } of analystViews) {
    if (!names.has(name) || needs.some((table) => table.startsWith('_'))) continue
    const values = columns.map(({ name: column, type }) => {
      if (type === 'double') return `printf('%.8e', "${column}")`
      return type === 'timestamp' ? `epoch_us("${column}")::VARCHAR` : `"${column}"::VARCHAR`
    })
    const hash = `SELECT count(*), sum(hash(${values.join(', ')})::HUGEINT)::VARCHAR FROM ${name}`
    const [first] = sessions
    const { rows: expected } = await answer(first!.connection, hash)
    for (const session of sessions) {
      for (const zone of ZONES) {
        await session.connection.run(`SET TimeZone = '${zone}'`)
        const { rows } = await answer(session.connection, hash)
        expect(rows, `${name} (${session.name}, ${zone})`).toEqual(expected)
      }
    }
  }
  sessions[0]!.connection.closeSync()
  await expect(page).toMatchFileSnapshot(fileURLToPath(PAGE))
})

test('there are twenty recipes, each question asked once', () => {
  expect(RECIPES).toHaveLength(20)
  expect(new Set(RECIPES.map(({ question }) => question)).size).toBe(20)
})
