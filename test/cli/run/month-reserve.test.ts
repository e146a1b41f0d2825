import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyMonths } from '../../../cli/run/key-months.ts'
import { callsOfSchedules, monthReserve, type ReserveOf } from '../../../cli/run/month-reserve.ts'
import { frozenClock } from '../../../config/clock.ts'
import { loadConfig } from '../../../config/load-config.ts'
import { datasets } from '../../../datasets/index.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const NOW = Date.UTC(2026, 11, 1)
const DAY_MS = 86_400_000
const DATASETS = [
  'datasets:',
  '  exchange_rates: { every: 6h }',
  '  market_chart: { coins: [bitcoin, ethereum], granularity: daily, from: 2026-01-01 }',
]

/** A file with these lines, as a command with the flag `--dataset exchange_rates` reads it. */
function configOf(cwd: string, source: string, ...lines: readonly string[]) {
  const text = [`source: { base_url: "http://127.0.0.1:9", ${source} }`, ...DATASETS, ...lines]
  writeFileSync(join(cwd, 'c.yaml'), `${text.join('\n')}\n`)
  const flags = { datasets: ['exchange_rates'] }
  return loadConfig({ file: 'c.yaml', env: {}, datasets, cwd, flags })
}

async function ruleOf(...text: readonly [string, ...string[]]): Promise<ReserveOf> {
  const cwd = tempDir()
  const config = configOf(cwd, ...text)
  const ledger = { universe: async () => null, knownListings: async () => [] }
  const facts = { clock: frozenClock(NOW), env: {}, cwd, ledger }
  return monthReserve(config, await callsOfSchedules(config, facts))
}

test('without schedules a tenth is kept, or what is said', async () => {
  const usual = await ruleOf('monthly_calls: 5000')
  expect(usual(5_000, NOW)).toBe(500)
  const said = await ruleOf('monthly_reserve: 7', 'schedules: { hourly: { every: 1h } }')
  expect(said(5_000, NOW)).toBe(7)
})

test('with schedules what they need until the month is over, of all datasets of the file', async () => {
  // Daily: a call of the rates and one for each coin; every six hours four of the rates.
  const daily = await ruleOf('', 'schedules: { daily: { every: 1d } }')
  expect(daily(5_000, NOW)).toBe(3 * 31)
  expect(daily(5_000, NOW + 30 * DAY_MS)).toBe(3)
  const often = await ruleOf('', 'schedules: { often: { every: 6h, datasets: exchange_rates } }')
  expect(often(5_000, NOW)).toBe(4 * 31)
  const both = await ruleOf(
    '',
    'schedules:',
    '  often: { every: 6h, datasets: exchange_rates }',
    '  twice: { at: "06:00,18:00", days: "mon,thu", datasets: exchange_rates }',
    '  cron: { cron: "0,30 */6 * * *", datasets: exchange_rates }',
  )
  // Twice on two days a week are up to 18 times a month; eight a day meet each of its four buckets.
  expect(both(5_000, NOW)).toBe(4 * 31 + 18 + 4 * 31)
  const monthly = await ruleOf('', 'schedules: { monthly: { cron: "0 6 1 * *" } }')
  expect(monthly(5_000, NOW)).toBe(3)
})

test('an order of the file that needs flags stops no command, whatever its reserve', async () => {
  const incomplete = ['  ohlc: { granularity: 4h }', 'schedules: { daily: { every: 1d } }']
  const said = await ruleOf('monthly_reserve: 7', ...incomplete)
  expect(said(5_000, NOW)).toBe(7)
  const usual = await ruleOf('', ...incomplete)
  expect(usual(5_000, NOW)).toBe(500)
})

test('half of the month is left to backfills, and keys share what is needed', async () => {
  const needed = await ruleOf('', 'schedules: { daily: { every: 1d } }')
  expect(needed(100, NOW)).toBe(50)
  const shared = await ruleOf('api_keys: [a, b, c]', 'schedules: { daily: { every: 1d } }')
  expect(shared(5_000, NOW)).toBe(31)
})

test.for([
  { what: 'the usual part', source: '', schedules: '', reserve: 500 },
  { what: 'nothing of schedules', source: '', schedules: 'hourly: { every: 1h }', reserve: null },
  {
    what: 'the configured reserve',
    source: 'monthly_reserve: 7,',
    schedules: 'hourly: { every: 1h }',
    reserve: 7,
  },
])('before the first call, without the ledger, $what is known', async (row) => {
  const { source, schedules, reserve } = row
  const lines = [`warehouse: w`, `schedules: { ${schedules} }`]
  const config = configOf(tempDir(), `${source} monthly_calls: 5000`, ...lines)
  expect(await keyMonths(config)).toMatchObject([{ ceiling: 5_000, reserve }])
})
