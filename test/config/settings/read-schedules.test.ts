import { expect, test } from 'vitest'
import { parse, problemsIn } from '../parse.ts'

const HEAD = `source: { base_url: "http://127.0.0.1:8400" }
datasets:
  coin_markets: {}
schedules:
`
const HOUR_MS = 3_600_000

const schedulesOf = (lines: string) => parse(HEAD + lines).schedules

test('an interval, with everything else at its default', () => {
  expect(schedulesOf('  hourly: { every: 1h, offset: 5m }')).toEqual({
    hourly: {
      name: 'hourly',
      origin: 'c.yaml:5',
      times: { kind: 'interval', everyMs: HOUR_MS, offsetMs: 300_000 },
      timeZone: 'UTC',
      jitterMs: 0,
      overlap: 'buffer_one',
      catchUpMs: 24 * HOUR_MS,
      isPausedOnFailure: false,
      datasets: null,
    },
  })
})

test('times of day on some days of a zone, with everything said', () => {
  const lines = `  work:
    at: ["6:30", "18:05"]
    days: [thu, mon]
    time_zone: europe/berlin
    jitter: 2m
    overlap: skip
    catch_up: 6h
    pause_on_failure: true
    datasets: coin_markets`
  expect(schedulesOf(lines)['work']).toMatchObject({
    times: {
      kind: 'times',
      at: [
        { hour: 6, minute: 30 },
        { hour: 18, minute: 5 },
      ],
      weekdays: [1, 4],
    },
    timeZone: 'Europe/Berlin',
    jitterMs: 120_000,
    overlap: 'skip',
    catchUpMs: 6 * HOUR_MS,
    isPausedOnFailure: true,
    datasets: ['coin_markets'],
  })
})

test('cron; a file without schedules has none', () => {
  expect(schedulesOf('  monthly: { cron: "0 6 1 * *" }')['monthly']?.times).toEqual({
    kind: 'cron',
    cron: '0 6 1 * *',
  })
  expect(schedulesOf('')).toEqual({})
})

test.for([
  ['  hourly: {}', 'CONFIG_SCHEDULE_TIMES', 'does not say when', '5:3'],
  ['  a: { every: 1h, at: "6:30" }', 'CONFIG_SCHEDULE_TIMES', 'both `every` and `at`', '5:19'],
  ['  a: { at: "6:30", offset: 5m }', 'CONFIG_SCHEDULE_TIMES', '`offset` without `every`', '5:20'],
  ['  a: { every: 1h, days: [mon] }', 'CONFIG_SCHEDULE_TIMES', '`days` without `at`', '5:19'],
  ['  a: { every: 1h, time_zone: UTC }', 'CONFIG_SCHEDULE_TIMES', '1970 UTC', '5:19'],
  ['  a: { every: 30s }', 'CONFIG_BAD_DURATION', 'less than a minute', '5:15'],
  ['  a: { every: 1h, offset: 1h }', 'CONFIG_BAD_DURATION', 'not less than every (1h)', '5:27'],
  ['  a: { every: 1h, catch_up: 10s }', 'CONFIG_BAD_DURATION', 'less than a minute', '5:29'],
  ['  a: { at: "24:00" }', 'CONFIG_BAD_TIME_OF_DAY', '24:00', '5:12'],
  ['  a: { at: "6:30", days: [monday] }', 'CONFIG_BAD_WEEKDAY', 'monday', '5:26'],
  ['  a: { at: "6:30", time_zone: "+02:00" }', 'CONFIG_BAD_TIME_ZONE', '+02:00', '5:31'],
  ['  a: { at: "6:30", time_zone: Berlin }', 'CONFIG_BAD_TIME_ZONE', 'Berlin', '5:31'],
  ['  a: { cron: "every day" }', 'CONFIG_BAD_CRON', 'every day', '5:14'],
  ['  a: { cron: "61 25 * * *" }', 'CONFIG_BAD_CRON', 'no cron of five fields', '5:14'],
  ['  a: { cron: "0 6 ? * mon" }', 'CONFIG_BAD_CRON', 'no cron of five fields', '5:14'],
  ['  a: { cron: "0 0 30 2 *" }', 'CONFIG_BAD_CRON', 'never come', '5:14'],
  ['  a: { every: 1h, overlap: all }', 'CONFIG_BAD_VALUE', 'all', '5:28'],
  ['  a: { every: 1h, datasets: [ohlcv] }', 'CONFIG_UNKNOWN_DATASET', 'ohlcv', '5:29'],
  ['  Hourly!: { every: 1h }', 'CONFIG_BAD_SCHEDULE_NAME', 'Hourly!', '5:3'],
])('%s is refused with %s at its place', ([lines = '', code, says = '', at = '']) => {
  const [problem, ...others] = problemsIn(HEAD + lines)
  expect(others).toEqual([])
  expect(problem?.split(': ', 1)).toEqual([`${code} c.yaml:${at}`])
  expect(problem).toMatch(/ \| \w/)
  expect(problem).toContain(says)
})
