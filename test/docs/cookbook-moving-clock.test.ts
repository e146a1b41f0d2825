import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { marketRecipes } from '../../docs/cookbook/market-recipes.ts'
import { movableClock, openWarehouse, PROOF_TIMEOUT_MS } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'

const NOW_MS = Date.UTC(2025, 5, 15, 12)
const SPEC = {
  seed: 3,
  nowMs: NOW_MS,
  coins: 12,
  dailyDays: 2,
  hourlyDays: 0,
  fiveMinute: false,
  exchanges: 5,
  tickersPerExchange: 30,
  rateCurrencies: 20,
  vsCurrencies: ['usd', 'eur'],
}
/** How far the service's clock goes between two looks at it: no two answers have one Date. */
const TICK_MS = 1_000
const OBSERVATIONS = 2

function sqlOf(question: RegExp): string {
  return marketRecipes.find((recipe) => question.test(recipe.question))!.sql
}

test(
  'behind a clock that moves, several observations a day: the cookbook takes the newest of each',
  { timeout: PROOF_TIMEOUT_MS },
  async () => {
    const clock = movableClock(NOW_MS)
    const nowMs = (): number => {
      clock.set(clock.nowMs() + TICK_MS)
      return clock.nowMs()
    }
    const market = await holdMarket(SPEC, clock)
    const served = await serveInTest({ ...market.source, clock: { nowMs } })
    const warehouse = openWarehouse(served, clock)
    const order = [
      'coin_markets: { every: 1h, vs_currencies: [usd] }',
      'global_market: { every: 1h }',
      `exchange_tickers: { every: 1h, exchanges: ${JSON.stringify(market.exchangeIds)} }`,
    ]
    for (let hour = 0; hour < OBSERVATIONS; hour++) {
      clock.set(NOW_MS + hour * GRANULARITY_MS['1h'])
      const { report } = await warehouse.export(order)
      expect(report).toMatchObject({ verdict: 'complete', failures: [] })
    }
    const file = await DuckDBInstance.create(warehouse.paths.duckdbLink, {
      access_mode: 'READ_ONLY',
    })
    const connection = await file.connect()
    onTestFinished(() => connection.closeSync())
    const rowsOf = async (sql: string): Promise<unknown[][]> =>
      (await connection.runAndReadAll(sql)).getRowsJson()
    const timesOf = async (table: string): Promise<unknown> =>
      (await rowsOf(`SELECT count(DISTINCT observed_at)::INTEGER FROM ${table}`))[0]![0]
    expect(await timesOf('exchange_tickers')).toBe(OBSERVATIONS * SPEC.exchanges)
    expect(await timesOf('coin_markets')).toBe(OBSERVATIONS)
    expect(await timesOf('global_market_by_currency')).toBe(OBSERVATIONS)

    const apart = await rowsOf(sqlOf(/^How far apart are the exchanges/))
    const quoting = await market.connection.runAndReadAll(
      `SELECT DISTINCT exchange_id FROM exchange_tickers
       WHERE base = 'BTC' AND target = 'USDT' AND NOT is_stale AND NOT is_anomaly`,
    )
    expect(quoting.currentRowCount).toBeGreaterThan(2)
    expect(apart).toHaveLength(quoting.currentRowCount)
    const exchanges = new Set(apart.map(([exchange]) => exchange))
    expect(exchanges).toEqual(new Set(quoting.getRowsJson().flat()))

    const largest = await rowsOf(sqlOf(/^What were the largest coins on a day/))
    expect(largest.map(([, rank]) => Number(rank))).toEqual([1, 2, 3])

    const whole = await rowsOf(sqlOf(/^How large is the whole market/))
    expect(whole.map(([, currency]) => currency)).toEqual(['eur', 'usd'])
  },
)
