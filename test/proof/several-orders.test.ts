import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { holdMarket } from '../parts/held-market.ts'
import { movableClock } from '../parts/proof-warehouse.ts'
import { runCaptured } from '../parts/run-captured.ts'
import { begin, openScheduled, untilIdle } from '../parts/scheduled-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { tempDir } from '../parts/temp-dir.ts'

const HOUR_MS = 3_600_000
/** In the future: what came due before a schedule was applied is none of its windows. */
const NOW_MS = Date.UTC(2031, 2, 10, 12, 40)
const HOURLY_MS = Date.UTC(2031, 2, 10, 15, 5)
const DAILY_MS = Date.UTC(2031, 2, 11, 1, 30)
const END_MS = DAILY_MS + HOUR_MS

interface Planned {
  calls: { min: number; max: number }
  perDataset: { order: string; calls: { max: number } }[]
}

test('three orders of market_chart and two of coin_markets: calls as planned, and nothing twice', async () => {
  const clock = movableClock(NOW_MS)
  const market = await holdMarket(
    {
      ...MARKET_PRESETS.tiny,
      vsCurrencies: ['usd', 'eur'],
      seed: 17,
      nowMs: END_MS,
      hourlyDays: 12,
      dailyDays: 120,
      observations: 3,
    },
    clock,
  )
  const served = await serveInTest(market.source)
  const ids = market.coinIds
  const [a = '', b = ''] = ids
  const [two, all] = [JSON.stringify([a, b]), JSON.stringify(ids)]

  // init writes two orders that differ in granularity; the others are written by hand, as people do.
  const dir = tempDir()
  const flags = `--base-url ${served.url} --dataset market_chart,coin_markets --granularity hourly,daily --from 2031-02-20 --coins ${a},${b} -y`
  await runCaptured(['init', ...flags.split(' ')], { cwd: dir, clock })
  const file = readFileSync(join(dir, 'coinlake.yaml'), 'utf8')
  const written = file.replace(/^ *api_key:.*\n/m, '')
  expect(written).toContain('granularity: [1h, 1d]')
  const yaml = `${written.slice(0, written.indexOf('\ndatasets:'))}
datasets:
  market_chart:
    - { name: hourly, coins: ${two}, granularity: hourly, from: 2031-03-01 }
    - { coins: ${all}, granularity: daily, from: 2030-12-01 }
    - { name: euro, coins: ${two}, vs_currencies: [usd, eur], granularity: daily, from: 2031-01-15 }
  coin_markets:
    - { name: watch, coins: ${two}, every: 1h }
    - { coins: ${all} }
schedules:
  hourly: { every: 1h, offset: 5m, datasets: [market_chart/hourly, coin_markets/watch] }
  daily: { at: "01:30", datasets: [market_chart/1d, market_chart/euro, coin_markets/1d] }
`
  const scheduled = await openScheduled(yaml, clock, dir)
  const json = async <T>(...words: string[]): Promise<T> =>
    JSON.parse((await scheduled.run(...words, '--json')).stdout) as T
  const plan = (...words: string[]): Promise<Planned> => json<Planned>('plan', ...words)
  /** Requests while something is done: how often each path and query. */
  const askedDuring = async (doing: () => Promise<unknown>): Promise<string[]> => {
    const before = served.log.length
    await doing()
    return served.log.slice(before).map(({ path, query }) => `${path}?${query}`)
  }

  const planned = await plan()
  expect(planned.perDataset.map(({ order, calls }) => [order, calls.max])).toEqual([
    ['coin_markets/watch', 1],
    ['coin_markets/1d', 1],
    ['market_chart/hourly', 2],
    ['market_chart/1d', 5],
    // In usd the days of both coins are those of the order before.
    ['market_chart/euro', 2],
  ])
  const first = await askedDuring(() => scheduled.run('backfill'))
  expect(first).toHaveLength(planned.calls.max)
  expect(planned.calls.min).toBe(planned.calls.max)
  expect(new Set(first).size).toBe(first.length)
  const listings = first.filter((url) => url.includes('coins/markets'))
  const listed = listings.map((url) => new URL(url, served.url).searchParams.get('ids'))
  expect(new Set(listed)).toEqual(new Set([[a, b].join(','), ids.slice(2).join(',')]))
  expect(await askedDuring(() => scheduled.run('backfill'))).toEqual([])
  expect((await plan()).calls).toMatchObject({ min: 0, max: 0 })

  const gaps = await scheduled.run('gaps')
  expect(gaps).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('no gaps') })
  const summary = gaps.stdout.split('\n').slice(1, 5)
  expect(summary.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['coin_markets/watch', '1h', '1'],
    ['coin_markets/1d', '1d', '2'],
    ['market_chart/hourly', '1h', '2'],
    ['market_chart/1d, market_chart/euro', '1d', '7'],
  ])
  const orders = [
    'market_chart/hourly',
    'market_chart/1d',
    'market_chart/euro',
    'coin_markets/watch',
    'coin_markets/1d',
  ]
  const { freshness } = await json<{ freshness: { order: string; state: string }[] }>('status')
  expect(freshness.map(({ order }) => order)).toEqual(orders)
  expect(freshness.map(({ state }) => state)).toEqual(orders.map(() => 'fresh'))
  const report = await json<{
    freshness: { order: string }[]
    coverage: { histories: { granularity: string }[]; snapshots: { rows: { name: string }[] } }
  }>('report')
  expect(report.freshness.map(({ order }) => order)).toEqual(orders)
  expect(report.coverage.histories.map(({ granularity }) => granularity).toSorted()).toEqual([
    '1d',
    '1h',
  ])
  expect(report.coverage.snapshots.rows.map(({ name }) => name)).toEqual([
    'coin_markets 1d',
    'coin_markets 1h',
  ])

  // Each window asks for what a plan of its orders says, and not for what the other schedule keeps up to date.
  const windowOf = async (name: string, windowMs: number, chosen: string): Promise<string[]> => {
    clock.set(windowMs + 20_000)
    const { calls } = await plan('--dataset', chosen)
    const asked = await askedDuring(async () => {
      const stopWorker = await scheduled.startWorker()
      await begin(scheduled.handle(name), windowMs, windowMs)
      await untilIdle(scheduled.handle(name))
      await stopWorker()
    })
    expect(asked).toHaveLength(calls.max)
    expect(new Set(asked).size).toBe(asked.length)
    expect((await plan('--dataset', chosen)).calls.max).toBe(0)
    return asked
  }
  const hourly = await windowOf('hourly', HOURLY_MS, 'market_chart/hourly,coin_markets/watch')
  expect(hourly).toHaveLength(3)
  const daily = await windowOf(
    'daily',
    DAILY_MS,
    'market_chart/1d,market_chart/euro,coin_markets/1d',
  )
  expect(daily).toHaveLength(1 + 5 + 2)
  // The hour of the daily window is still to be taken; the day's own snapshot is none of it.
  const rest = await plan()
  expect(rest.perDataset.map(({ order }) => order)).toEqual([
    'coin_markets/watch',
    'market_chart/hourly',
  ])

  const { connection } = market
  await connection.run(`ATTACH '${scheduled.paths.storeFile}' AS store (READ_ONLY)`)
  const twice =
    await connection.runAndReadAll(`SELECT count(*) FROM store._slices a JOIN store._slices b
      ON a.dataset = b.dataset AND a.entity = b.entity AND a.vs_currency = b.vs_currency AND a.granularity = b.granularity
        AND a.updated_at < b.updated_at AND a.from_at < b.to_at AND b.from_at < a.settled_to
      WHERE a.state IN ('loaded', 'provisional') AND b.state IN ('loaded', 'provisional')`)
  expect(twice.getRowsJS()).toEqual([[0n]])
  console.log(
    `${served.log.length} calls: ${first.length} of the backfill, ${hourly.length} and ${daily.length} of the windows`,
  )
  expect(served.log.length).toBe(first.length + hourly.length + daily.length)
})
