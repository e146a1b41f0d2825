import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { SURVIVORSHIP } from '../../plan/survivorship.ts'
import { runCaptured } from '../parts/run-captured.ts'
import { tempDir } from '../parts/temp-dir.ts'

let cwd: string

beforeEach(async () => {
  cwd = tempDir()
})

/** The output of `coinlake plan` for these datasets and a source; the clock stands at noon of 2026-01-15. */
async function plan(source: string, datasetLines: readonly string[]): Promise<string[]> {
  const lines = [`source: { ${source} }`, 'datasets:', ...datasetLines.map((line) => `  ${line}`)]
  await writeFile(join(cwd, 'coinlake.yaml'), `${lines.join('\n')}\n`)
  const { exitCode, stdout, stderr } = await runCaptured(['plan'], { cwd })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

test('what a run costs by dataset, and what it costs to keep it up for a month', async () => {
  const lines = await plan('profile: coingecko-demo', [
    'exchange_rates: { every: 6h }',
    'market_chart: { coins: [bitcoin, ethereum], granularity: hourly, from: 2026-01-01 }',
    'coin_history: { coins: top:250, from: 2026-01-01 }',
  ])
  const cells = lines.slice(0, 4).map((line) => line.split(/ {2,}/))
  expect(cells.map((row) => [row[0], row[2], row[5], row[6], ...row.slice(7)])).toEqual([
    [
      'dataset',
      'calls',
      'time',
      'of month',
      'calls/month, daily',
      'calls/month, every 6h',
      'calls/month, hourly',
    ],
    ['exchange_rates', '1', '1 s', '<1 %', '31', '124', '124'],
    ['market_chart', '2', '2 s', '<1 %', '62', '248', '1,488'],
    [
      'coin_history',
      'up to 3,500',
      '35 min',
      'up to 35 %',
      ...Array<string>(3).fill('up to 7,750'),
    ],
  ])
  expect(lines).toContain('calls    4 to 3,504 (bounds: some lists have not been read yet)')
  expect(lines).toContainEqual(expect.stringMatching(/^rows     at most about [1-9]/))
  // The warehouse is not made yet.
  expect(lines).toContainEqual(expect.stringMatching(/^disk     at most about [^;,]*; [^,]+ free$/))
  expect(lines).toContain(
    'month    <1 to 36 % of 10,000 calls; none used that this warehouse knows of, 10,000 left, 1,000 of them kept for schedules and refetches',
  )
  expect(lines).toContain(
    'later    calls a month: run daily 93 to 7,843 (<1 to 79 %), run every 6h 372 to 8,122 (4 to 82 %), run hourly 1,612 to 9,362 (17 to 94 %)',
  )
  expect(lines.at(-2)).toMatch(/^top:250 is chosen by market cap .* \(calls: 1\)$/)
  expect(lines.at(-1)).toBe(`top:250: ${SURVIVORSHIP}`)
})

test('nothing is said of a rate and a month that nobody knows', async () => {
  const lines = await plan('base_url: "http://127.0.0.1:8400"', ['global_market: {}'])
  expect(lines[0]).toMatch(
    /^dataset +slices +calls +rows +disk +calls\/month, daily +calls\/month, hourly$/,
  )
  expect(lines.slice(2).map((line) => line.split(/ {2,}/)[0])).toEqual([
    'calls',
    'time',
    'rows',
    'disk',
    'later',
  ])
  expect(lines.at(-1)).toBe('later    calls a month: run daily 31, run hourly 31')
})

test('orders are priced each, what two want alike in the first; a flag makes one for this command', async () => {
  const orders = [
    'market_chart:',
    '  - { coins: [bitcoin, ethereum], granularity: daily, from: 2025-12-01 }',
    '  - { name: more, coins: [bitcoin, tether], granularity: daily, from: 2025-11-01 }',
    'coin_markets: [{ coins: [bitcoin], every: 1h }, { coins: [bitcoin, tether] }]',
  ]
  const lines = await plan('base_url: "http://127.0.0.1:8400"', orders)
  const cells = lines.slice(0, 5).map((line) => line.split(/ {2,}/))
  expect(cells.map((row) => [row[0], row[1], row[2], ...row.slice(5)])).toEqual([
    ['dataset', 'slices', 'calls', 'calls/month, daily', 'calls/month, hourly'],
    ['market_chart/1d', '2', '2', '62', '124'],
    // Of tether only: what it wants of bitcoin is in the slice of the first. By the hour each close is asked for when
    // it comes, and when it is final.
    ['market_chart/more', '1', '1', '31', '62'],
    ['coin_markets/1h', '1', '1', '31', '744'],
    ['coin_markets/1d', '1', '1', '31', '31'],
  ])
  const flags = ['--granularity', 'hourly', '--dataset', 'market_chart']
  const { exitCode, stdout, stderr } = await runCaptured(['plan', ...flags], { cwd })
  expect(exitCode).toBe(0)
  expect(stderr).toBe(
    'note: market_chart 1h is an order of this command only (flag --granularity); gaps, status and schedules use the orders of the file\n',
  )
  expect(stdout).toMatch(/^market_chart\/1h /m)
})

test.for([
  { schedule: 'hourly: { every: 1h }', line: true },
  { schedule: 'daily: { at: "01:05" }', line: false },
])('schedules that need more than the month are named: $schedule', async ({ schedule, line }) => {
  const lines = await plan(`profile: coingecko-demo }\nschedules: { ${schedule}`, [
    'market_chart: { coins: top:20, from: 2026-01-01, granularity: hourly }',
  ])
  const word =
    'windows  SCHEDULES MAY NEED 14,880 calls a month: take fewer windows or ids, or another key'
  expect(lines.filter((one) => one.startsWith('windows'))).toEqual(line ? [word] : [])
})

test('a plan that takes more than the disk has free says so', async () => {
  const currencies = 'usd, eur, gbp, jpy, chf, btc, eth, cad, aud, inr'
  const lines = await plan('profile: coingecko-pro, api_key: any', [
    `market_chart: { coins: top:10000, vs_currencies: [${currencies}], granularity: 1h, from: 2014-01-01 }`,
  ])
  expect(lines).toContainEqual(
    expect.stringMatching(/^disk     at most about .* TB, which MAY NOT FIT; .* free$/),
  )
})
