import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../api/granularity.ts'
import { frozenClock } from '../../config/clock.ts'
import { cookbookPage } from '../../docs/cookbook/cookbook-page.ts'
import type { AnsweredRecipe } from '../../docs/cookbook/cookbook-page.ts'
import { marketRecipes } from '../../docs/cookbook/market-recipes.ts'
import { priceRecipes } from '../../docs/cookbook/price-recipes.ts'
import type { Recipe } from '../../docs/cookbook/recipe.ts'
import { VIEWS_SQL } from '../../sinks/publish-parquet/views-sql.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'
import { openWarehouse, PROOF_TIMEOUT_MS } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'

const NOW_MS = Date.UTC(2025, 5, 15, 12)
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York']
const RECIPES: readonly Recipe[] = [...priceRecipes, ...marketRecipes]
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

/** A session that reads one of the publications, and how it got there. */
interface Session {
  name: string
  connection: DuckDBConnection
}

async function sessionsOf(duckdbFile: string, parquetLink: string): Promise<Session[]> {
  const connect = async (): Promise<DuckDBConnection> =>
    (await DuckDBInstance.create(':memory:')).connect()
  const attached = await connect()
  await attached.run(`ATTACH '${duckdbFile}' AS somebody_elses_name (READ_ONLY)`)
  await attached.run('USE somebody_elses_name')
  const tree = await connect()
  await tree.run(`SET file_search_path = '${parquetLink}'`)
  await tree.run(await readFile(join(parquetLink, VIEWS_SQL), 'utf8'))
  const file = await DuckDBInstance.create(duckdbFile, { access_mode: 'READ_ONLY' })
  return [
    { name: 'the published file', connection: await file.connect() },
    { name: 'the file attached under another name', connection: attached },
    { name: 'the Parquet tree', connection: tree },
  ]
}

/** Rows as text, as the same for every client: values are cast by DuckDB itself. */
async function answer(
  connection: DuckDBConnection,
  sql: string,
): Promise<Pick<AnsweredRecipe, 'columns' | 'rows'>> {
  const found = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
  return {
    columns: found.columnNames(),
    rows: found.getRowsJson() as (string | null)[][],
  }
}

test(
  'docs/cookbook.md: every answer, alike in both publications and in any time zone',
  { timeout: PROOF_TIMEOUT_MS },
  async () => {
    const clock = frozenClock(NOW_MS)
    const market = await holdMarket(SPEC, clock)
    const warehouse = openWarehouse(await serveInTest(market.source), clock)
    const coins = JSON.stringify(market.coinIds)
    const from = (days: number): string => new Date(NOW_MS - days * DAY_MS).toISOString()
    const chart = `coins: ${coins}, vs_currencies: [usd]`
    const orders = [
      [
        'coins: {}',
        'coin_markets: { vs_currencies: [usd] }',
        'exchange_rates: {}',
        'category_markets: {}',
        'derivative_tickers: {}',
        'global_market: {}',
        `exchange_tickers: { exchanges: ${JSON.stringify(market.exchangeIds)} }`,
        `market_chart: { ${chart}, granularity: daily, from: ${from(400)} }`,
        `ohlc: { ${chart}, granularity: 4h, from: ${from(30)} }`,
      ],
      [`market_chart: { ${chart}, granularity: hourly, from: ${from(11)} }`],
    ]
    for (const order of orders) {
      const { report } = await warehouse.export(order)
      expect(report).toMatchObject({ verdict: 'complete', failures: [] })
    }
    const { duckdbLink, parquetLink } = warehouse.paths
    const sessions = await sessionsOf(duckdbLink, parquetLink)

    const answered: AnsweredRecipe[] = []
    for (const recipe of RECIPES) {
      const [first] = sessions
      const expected = await answer(first!.connection, recipe.sql)
      expect(expected.rows.length, recipe.question).toBeGreaterThan(0)
      answered.push({ ...recipe, ...expected })
      for (const { name, connection } of sessions) {
        for (const zone of ZONES) {
          await connection.run(`SET TimeZone = '${zone}'`)
          const found = await answer(connection, recipe.sql)
          expect(found, `${recipe.question} (${name}, ${zone})`).toEqual(expected)
        }
        await connection.run(`SET TimeZone = 'UTC'`)
      }
    }

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
    for (const { connection } of sessions) connection.closeSync()
    await expect(cookbookPage(answered)).toMatchFileSnapshot('../../docs/cookbook.md')
  },
)

test('there are twenty recipes, each question asked once', () => {
  expect(RECIPES).toHaveLength(20)
  expect(new Set(RECIPES.map(({ question }) => question)).size).toBe(20)
})
