import { HOUR_MS } from '../config/values/duration.ts'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { positiveNumbers } from './benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { chartPages } from './chart-pages.ts'
import { fillStore, openFilledStore, START_MS, timed } from './filled-store.ts'
import type { ChartPages, FilledStore } from './filled-store.ts'
import { timesTables, type LoadTimes, type SizeTimes } from './times-tables.ts'
import { median } from './median.ts'

const MILLION = 1_000_000
/** Sizes in millions of rows; arguments replace them (`npm run bench publish 1 10`). */
const SIZES = [1, 10, 50]
const COINS = 700
/** 9,800 rows: 14 hours of each coin. */
const SMALL_HOURS = 14
/** Half a million rows. The large load has as many new ones and as many known ones. */
const LARGE_HOURS = 714
const ROUNDS = 3
const MID_MONTH = 15

export const publish: Benchmark = {
  name: 'publish',
  measures: 'loads and publications after them, as tables grow from 1 to 50 million rows',
  args: '[millions of rows ...]',
  takes: '7 min',
  run: measurePublish,
}

async function measurePublish({ folder, args, print }: BenchContext): Promise<BenchFigures> {
  const wanted = positiveNumbers(args)
  const sizes = wanted.length > 0 ? wanted : SIZES
  const measured: SizeTimes[] = []
  for (const millions of sizes) {
    print(`${millions} million rows`)
    const filled = await openFilledStore(join(folder, `${millions}m`))
    try {
      let hours = toMidMonth(Math.round((millions * MILLION) / COINS))
      await fillStore(filled, { coins: COINS, hours, digits: 'full' })
      await filled.publish()
      const rounds: LoadTimes[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await loadAndPublish(filled, chartPages(COINS, hours, hours + SMALL_HOURS)))
        hours += SMALL_HOURS
      }
      const large = await largeRounds(filled, hours)
      const insertMs = await plainInsert(filled, join(folder, 'plain.duckdb'))
      measured.push({ millions, small: medians(rounds), large, insertMs })
    } finally {
      await filled.close()
    }
  }
  return {
    scenario: `${COINS} coins, hourly; ${ROUNDS} times each, medians`,
    tables: timesTables(measured, COINS * SMALL_HOURS),
  }
}

/**
 * The number of hours until the nearest middle of a month. New rows rewrite the file of their month, so all tables must
 * end at the same part of a month.
 */
function toMidMonth(hours: number): number {
  const end = new Date(START_MS + hours * HOUR_MS)
  const middles = [-1, 0, 1].map((months) =>
    Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + months, MID_MONTH),
  )
  const distanceMs = (ms: number): number => Math.abs(ms - end.getTime())
  const nearestMs = middles.reduce((best, one) => (distanceMs(one) < distanceMs(best) ? one : best))
  return (nearestMs - START_MS) / HOUR_MS
}

async function largeRounds(filled: FilledStore, fromHour: number): Promise<LoadTimes> {
  const rounds: LoadTimes[] = []
  let hours = fromHour
  for (let round = 0; round < ROUNDS; round += 1) {
    await loadAndPublish(filled, chartPages(COINS, hours, hours + LARGE_HOURS))
    const both = chartPages(COINS, hours, hours + 2 * LARGE_HOURS)
    rounds.push(await loadAndPublish(filled, both))
    hours += 2 * LARGE_HOURS
  }
  return medians(rounds)
}

/** Inserts a million rows into a table without keys, in its own file: the least cost of a load. */
async function plainInsert({ connection }: FilledStore, file: string): Promise<number> {
  const rounds: number[] = []
  await connection.run(
    `CREATE TEMP TABLE rows_to_insert AS FROM market_chart ORDER BY load_id DESC LIMIT ${MILLION}`,
  )
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(file, { force: true })
    await connection.run(`ATTACH '${file}' AS plain`)
    await connection.run('CREATE TABLE plain.market_chart AS FROM rows_to_insert LIMIT 0')
    rounds.push(
      await timed(() => connection.run('INSERT INTO plain.market_chart FROM rows_to_insert')),
    )
    await connection.run('DETACH plain')
  }
  rmSync(file, { force: true })
  await connection.run('DROP TABLE rows_to_insert')
  return median(rounds)
}

async function loadAndPublish(filled: FilledStore, pages: ChartPages): Promise<LoadTimes> {
  const loadMs = await filled.load(pages)
  return { loadMs, ...(await filled.publish()) }
}

function medians(rounds: readonly LoadTimes[]): LoadTimes {
  const of = (name: keyof LoadTimes): number => median(rounds.map((round) => round[name]))
  return {
    loadMs: of('loadMs'),
    duckdbMs: of('duckdbMs'),
    parquetMs: of('parquetMs'),
  }
}
