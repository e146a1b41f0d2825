import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { VIEWS_SQL } from '../sinks/publish-parquet/views-sql.ts'
import { inDuckdb } from '../test/parts/duckdb.ts'
import { positiveNumbers } from './benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { chartPages } from './chart-pages.ts'
import type { Row } from './figure-table.ts'
import { coinName, VALUE_SHAPES, fillStore, openFilledStore, timed } from './filled-store.ts'
import type { FilledStore } from './filled-store.ts'
import { median } from './median.ts'

const MILLION = 1_000_000
const ROWS = 20 * MILLION
const COINS = 700
/** Small loads, each with a publication: some rows then stand behind the sorted ones. */
const SMALL_LOADS = 10
const SMALL_HOURS = 14
const TURNS = 9
/** Longest wait of readers, ms: for the range of one coin, and for the last price of all coins. */
const GOALS = { duckdb: [10, 60], parquet: [30, 60] } as const
/** Most bytes of a row with full digits in Parquet. Other values have no goal. */
const FULL_PARQUET_ROW_BYTES = 20.5

export const query: Benchmark = {
  name: 'query',
  measures: 'a range of one coin, the last prices of all, and bytes a row, at 20 million rows',
  args: '[millions of rows]',
  takes: '10 min',
  run: measureQuery,
}

async function measureQuery({ folder, args }: BenchContext): Promise<BenchFigures> {
  const [millions = ROWS / MILLION] = positiveNumbers(args, 1)
  const rows = millions * MILLION
  const lines: Row[] = []
  for (const digits of Object.keys(VALUE_SHAPES) as (keyof typeof VALUE_SHAPES)[]) {
    const filled = await openFilledStore(join(folder, digits))
    try {
      const hours = Math.round(rows / COINS)
      await fillStore(filled, { coins: COINS, hours, digits })
      await filled.publish()
      lines.push(...(await measured(filled, digits, 'sorted')))
      await addSmallLoads(filled, hours)
      lines.push(...(await measured(filled, digits, `${SMALL_LOADS} small loads later`)))
    } finally {
      await filled.close()
    }
  }
  const columns = [
    { name: 'one coin, 30 d', unit: 'ms', decimals: 1 },
    { name: 'latest_prices', unit: 'ms', decimals: 1 },
    { name: 'B/row', decimals: 1 },
  ]
  return {
    scenario: `${millions} million hourly points of ${COINS} coins, warm, medians of ${TURNS}`,
    tables: [{ rowsAre: 'values, publication', columns, rows: lines }],
  }
}

async function addSmallLoads(filled: FilledStore, fromHour: number): Promise<void> {
  for (let load = 0; load < SMALL_LOADS; load += 1) {
    const from = fromHour + load * SMALL_HOURS
    await filled.load(chartPages(COINS, from, from + SMALL_HOURS))
    const run = { runId: `run-${load}`, publishedAtMs: Date.now(), coinlakeVersion: '0.0.0' }
    await filled.duckdb.publish(run)
  }
  await filled.publish()
}

async function measured(
  { link, treeLink }: FilledStore,
  digits: keyof typeof VALUE_SHAPES,
  when: string,
): Promise<Row[]> {
  const tree = realpathSync(treeLink)
  const folder = join(tree, 'market_chart')
  const treeBytes = readdirSync(folder).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  )
  const ofFile = await inDuckdb(link, (file) => readerTimes(file, 'market_chart'), 'READ_ONLY')
  const ofTree = await inDuckdb(':memory:', async (connection) => {
    await connection.run(`SET file_search_path = '${tree}'`)
    await connection.run(readFileSync(join(tree, VIEWS_SQL), 'utf8'))
    return readerTimes(connection, `read_parquet('${folder}/*.parquet')`)
  })
  const places = [
    { name: 'duckdb' as const, bytes: statSync(link).size, ...ofFile },
    { name: 'parquet' as const, bytes: treeBytes, ...ofTree },
  ]
  return places.map(({ name, rows, rangeMs, lastMs, bytes }) => {
    const hasGoal = digits === 'full' && name === 'parquet'
    const value = bytes / rows
    return {
      name: `${digits}, ${when}, ${name}`,
      cells: [
        { value: rangeMs, atMost: GOALS[name][0] },
        { value: lastMs, atMost: GOALS[name][1] },
        hasGoal ? { value, atMost: FULL_PARQUET_ROW_BYTES } : value,
      ],
    }
  })
}

/** @param relation as an analyst would name it */
async function readerTimes(connection: DuckDBConnection, relation: string) {
  const ask = async (sql: string): Promise<unknown> =>
    (await connection.runAndReadAll(sql)).getRows()[0]?.[0]
  const warm = async (sql: string): Promise<number> => {
    const timesMs: number[] = []
    for (let turn = 0; turn < TURNS; turn += 1) timesMs.push(await timed(() => ask(sql)))
    return median(timesMs)
  }
  const rows = Number(await ask(`SELECT count(*) FROM ${relation}`))
  // Bounds as an analyst chooses them: thirty days in the middle of the history.
  const from = String(
    await ask(
      `SELECT (min(ts) + (max(ts) - min(ts)) / 2)::VARCHAR FROM ${relation}
         WHERE coin_id = '${coinName(COINS / 2)}'`,
    ),
  )
  const since = `TIMESTAMPTZ '${from}'`
  const rangeMs = await warm(
    `SELECT count(*), avg(price), max(price) FROM ${relation}
       WHERE coin_id = '${coinName(COINS / 2)}' AND vs_currency = 'usd' AND granularity = '1h'
         AND ts >= ${since} AND ts < ${since} + INTERVAL 30 DAY`,
  )
  const lastMs = await warm(
    `SELECT count(*), sum(price) FROM (SELECT coin_id, price FROM latest_prices WHERE vs_currency = 'usd')`,
  )
  return { rows, rangeMs, lastMs }
}
