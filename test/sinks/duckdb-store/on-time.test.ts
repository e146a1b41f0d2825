import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/values/duration.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { MARKET_CHART, marketChart } from '../../../datasets/market-chart.ts'
import { planSlices } from '../../../plan/plan-slices.ts'
import { openStore, type Store } from '../../../sinks/duckdb-store/open-store.ts'
import { dailyPrices } from '../../../sinks/views/prices.ts'
import { dailySource, hourlySource, type LateSource } from '../../parts/late-source.ts'
import { randomOf } from '../../parts/random-of.ts'
import { planInput, wantedOf } from '../../plan/test-dataset.ts'
import { memoryStage } from './memory-stage.ts'
import { tempFolder } from './temp-folder.ts'

const START = Date.UTC(2024, 5, 15)
const DAYS = 10
const END = START + DAYS * DAY_MS

const temp = tempFolder()
const SOURCES: Readonly<Record<'1h' | '1d', LateSource>> = {
  '1h': hourlySource(17, START, END + DAY_MS),
  '1d': dailySource(17, START, END + DAY_MS),
}
let store: Store

beforeEach(async () => {
  store = await openStore({
    file: temp.path('on-time'),
    datasets: [marketChart],
    coinlakeVersion: '1.2.3',
    clock: frozenClock(START),
  })
})
afterEach(() => store.close())

let runs = 0

/** One command at a moment: plans, fetches, loads. Returns the granularities that it asked for. */
async function backfill(nowMs: number): Promise<string[]> {
  const planned = await plan(nowMs)
  if (planned.length === 0) return []
  const runId = `run-${(runs += 1)}`
  const run = { runId, orderId: 'o', startedAtMs: nowMs, coinlakeVersion: '1.2.3' }
  await store.writePlan(run, planned)
  const slices = await store.nextSlices({ runId, after: -1, limit: 99 })
  const stage = memoryStage([MARKET_CHART])
  for (const slice of slices) {
    const { generation } = slice
    stage.put({ slice, generation, fetchedAtMs: nowMs, made: answerTo(slice, nowMs) })
  }
  const ordinals = slices.map(({ ordinal }) => ordinal)
  await store.load({ runId, ordinals, nowMs }, stage)
  return planned.map(({ granularity }) => granularity)
}

async function plan(nowMs: number): Promise<Slice[]> {
  const wanted = (['1h', '1d'] as const).map((granularity) =>
    wantedOf({ dataset: 'market_chart', granularity, fromMs: START }),
  )
  const covered = await store.covered(nowMs)
  return planSlices(planInput({ wanted, covered, nowMs, datasets: [marketChart] })).slices
}

function answerTo(slice: Slice, nowMs: number) {
  const prices = SOURCES[slice.granularity as '1h' | '1d'].answer(nowMs)
  const body = { prices, market_caps: prices, total_volumes: prices }
  const [step] = marketChart.steps(slice, { nowMs, attempt: 1, maxHistoryDays: null })
  const page = { slice, step: step!, itemsBefore: 0, observedAtMs: nowMs }
  const { tables, rejected } = marketChart.toTables(body, { ...page, nowMs })
  expect(rejected).toEqual([])
  return tables[0]!
}

/** All hourly points but the moving one; `hourly_prices` shows the first of an hour. */
const hourlyPoints = {
  sql: `SELECT ts AS as_of FROM market_chart WHERE granularity = '1h' AND NOT is_moving`,
}

/** The newest point that readers see. */
async function newestMs(view: { sql: string }, more = ''): Promise<number> {
  const [row] = await store.query(
    `SELECT epoch_ms(max(as_of)) AS ms FROM (${view.sql}) WHERE true ${more}`,
  )
  return Number(row!['ms'])
}

/** COINLAKE_TEST_BIG=1 runs each hour. */
const RUN_EVERY_HOURS = process.env['COINLAKE_TEST_BIG'] === '1' ? 1 : 6
const TIMEOUT_MS = 600_000

test(
  'over ten days, at any forty odd minutes: readers see the newest point of the source',
  { timeout: TIMEOUT_MS },
  async () => {
    const random = randomOf(3)
    let calls = 0
    for (let hour = 2; hour < DAYS * 24; hour += RUN_EVERY_HOURS) {
      const nowMs = START + hour * HOUR_MS + Math.round((41 + 18 * random()) * MINUTE_MS)
      calls += (await backfill(nowMs)).length
      expect(await plan(nowMs)).toEqual([])
      expect(await plan(nowMs + 4 * MINUTE_MS)).toEqual([])
      expect(await newestMs(hourlyPoints)).toBe(SOURCES['1h'].newestMs(nowMs))
      expect(await newestMs(dailyPrices, `AND granularity = '1d'`)).toBe(
        SOURCES['1d'].newestMs(nowMs),
      )
    }
    // Each time the hours once, and each day once or twice: its point comes, and settles.
    const hourly = runs
    expect(calls).toBeGreaterThanOrEqual(hourly + DAYS)
    expect(calls).toBeLessThanOrEqual(hourly + 2 * DAYS)
    // A point that came late, twice or was changed while it was young is there once, as the source has it.
    await backfill(END + 2 * HOUR_MS)
    for (const granularity of ['1h', '1d'] as const) {
      const source = SOURCES[granularity]
      const points = source.points.filter(({ ts }) => ts < END)
      const rows = await store.query(
        `SELECT epoch_ms(ts) AS ms, price, is_provisional, is_moving FROM market_chart
       WHERE granularity = '${granularity}' AND ts < make_timestamptz(${END * 1000}) ORDER BY ts`,
      )
      expect(rows).toEqual(
        points.map((point) => ({
          ms: point.ts,
          price: source.finalPrice(point),
          is_provisional: false,
          is_moving: false,
        })),
      )
    }
    expect(await store.query('SELECT count(*)::INTEGER AS n FROM _revisions')).toEqual([{ n: 0 }])
  },
)
