import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/values/duration.ts'
import { freshnessFacts } from '../../../cli/freshness/freshness-facts.ts'
import { loadCliConfig } from '../../../cli/run/load-cli-config.ts'
import { frozenClock } from '../../../config/clock.ts'
import { datasets } from '../../../datasets/index.ts'
import { marketChart } from '../../../datasets/market-chart.ts'
import { newestStep } from '../../../plan/newest-step.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { silentEffects } from '../../parts/silent-effects.ts'

const HOURLY = 'market_chart: { coins: [bitcoin], granularity: hourly, from: 2026-01-01 }'
const DAILY = 'market_chart: { coins: [bitcoin], granularity: daily, from: 2026-01-01 }'
const CANDLES = 'ohlc: { coins: [bitcoin], granularity: 4h, from: 2026-01-10 }'
const RATES = 'exchange_rates: { every: 1h }'

function configOf(dataset: string, schedule: string | null, nowMs: number) {
  const cwd = tempDir()
  writeFileSync(
    join(cwd, 'coinlake.yaml'),
    [
      'source: { base_url: "http://127.0.0.1:9" }',
      `datasets: { ${dataset} }`,
      schedule === null ? '' : `schedules: { one: { ${schedule} } }`,
      '',
    ].join('\n'),
  )
  const clock = frozenClock(nowMs)
  return loadCliConfig(silentEffects({ env: {}, cwd, clock }), {})
}

/** Of a dataset whose newest point is of `newestMs`. */
async function lookAt(dataset: string, schedule: string | null, nowMs: number, newestMs: number) {
  const config = configOf(dataset, schedule, nowMs)
  const rows = async <T>(sql: string): Promise<T[]> =>
    (sql.includes('information_schema')
      ? datasets.flatMap(({ tables }) => tables.map(({ name }) => ({ table_name: name })))
      : [{ newest_ms: newestMs }]) as T[]
  const [one] = await freshnessFacts(rows, { config, nowMs })
  return one!
}

/** Start of the newest step that a source has a point of, which is as late as it may be. */
function newestOfSource(dataset: string, runMs: number): number {
  const granularity = dataset === HOURLY ? '1h' : '1d'
  const { fromMs, toMs, dueMs } = newestStep(marketChart, granularity, runMs)
  return runMs < dueMs ? fromMs - (toMs - fromMs) : fromMs
}

test.each([
  ['each hour', HOURLY, 'every: 1h, offset: 5m', HOUR_MS, 5],
  ['each hour, late', HOURLY, 'every: 1h, offset: 59m', HOUR_MS, 59],
  ['each day', DAILY, 'at: "06:30"', DAY_MS, 6 * 60 + 30],
  ['each day, early', DAILY, 'at: "00:59"', DAY_MS, 59],
  ['by cron', DAILY, 'cron: "59 0 * * *"', DAY_MS, 59],
  ['days each hour', DAILY, 'every: 1h, offset: 5m', HOUR_MS, 5],
] as const)('runs that come in time are never stale: %s', async (...row) => {
  const [, dataset, schedule, everyMs, firstMinute] = row
  const startMs = Date.UTC(2026, 0, 20)
  const offsetMs = firstMinute * MINUTE_MS
  for (let runMs = startMs + offsetMs; runMs < startMs + 2 * DAY_MS; runMs += everyMs) {
    const newestMs = newestOfSource(dataset, runMs)
    // Up to the end of the next run, which takes twenty minutes.
    const found = await lookAt(dataset, schedule, runMs + everyMs + 20 * MINUTE_MS, newestMs)
    expect(found).toMatchObject({ state: 'fresh' })
  }
})

test.each([
  ['hourly', HOURLY, 'every: 1h, offset: 5m', 3 * 60 + 5],
  ['by hand', HOURLY, null, 25 * 60 + 30],
  // Yesterday's close comes by 00:40, and is missed an hour later.
  ['daily by hand', DAILY, null, 25 * 60 + 40],
  ['daily', DAILY, 'at: "01:05"', 26 * 60 + 5],
  ['daily, too early', DAILY, 'at: "00:30"', 49 * 60 + 30],
  [
    'daily, by the clocks of Berlin',
    DAILY,
    'at: "06:30", time_zone: Europe/Berlin',
    24 * 60 + (5 * 60 + 30) + 60,
  ],
  // Closed at 04:00 it is there at 04:15, and fetched at 08:00.
  ['candles', CANDLES, 'every: 4h', 9 * 60],
  ['snapshots', RATES, 'every: 1h, offset: 5m', 2 * 60 + 5],
  ['on Sundays', RATES, 'at: "06:30", days: [sun]', 14 * 24 * 60 + 30],
  ['each month', RATES, 'cron: "0 6 1 * *"', 62 * 24 * 60],
  ['each second day', RATES, 'cron: "0 6 */2 * *"', 4 * 24 * 60],
  ['chance', RATES, 'every: 1h, jitter: 6m', 2 * 60 + 6],
] as const)('says from when on data are stale: %s', async (_, dataset, schedule, minutes) => {
  const nowMs = Date.UTC(2026, 0, 20)
  const { allowedMs } = await lookAt(dataset, schedule, nowMs, nowMs)
  expect(allowedMs / MINUTE_MS).toBe(minutes)
})

test.each([
  { every: '1h', state: 'empty' },
  { every: '1d', state: 'none' },
])(
  'a snapshot by the hour without a row is $state where slices of $every are empty',
  async (told) => {
    const nowMs = Date.UTC(2026, 0, 15)
    const names = ['_slices', ...datasets.flatMap(({ tables }) => tables.map(({ name }) => name))]
    const rows = async <T>(sql: string): Promise<T[]> => {
      if (sql.includes('information_schema')) {
        return names.map((name) => ({ table_name: name })) as T[]
      }
      const isTold = sql.includes('FROM _slices') && sql.includes(`granularity = '${told.every}'`)
      return (isTold ? [{ one: 1 }] : []) as T[]
    }
    const config = configOf(RATES, null, nowMs)
    const [one] = await freshnessFacts(rows, { config, nowMs })
    expect(one?.state).toBe(told.state)
  },
)
