import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { ScheduleRow } from '../../cli/schedule/schedule-rows.ts'
import { COINS_PER_PAGE, marketPage } from '../../bench/service/market-bodies.ts'
import { repeatedRequests, marketCoins, NOW_MS } from '../parts/day-market.ts'
import { type Lake, type LakeOptions, openLake } from '../parts/lake.ts'
import { reportOf } from './report-of.ts'
import { listen } from '../parts/listen.ts'
import { marketUntil } from '../parts/market-lake.ts'

const SIZE = { coins: 40, latencyMs: 40 }
/** Pages on their way at a time. */
const IN_FLIGHT = 4
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 200 }

/** A service of two keys that tells whose each call was, and warehouses of 20 coins each. */
async function openKeys() {
  const keyOfCall: string[] = []
  const keys = {
    identify: (key: string) => {
      keyOfCall.push(key)
      return { id: key, quota: null }
    },
  }
  const quota = { calls: 40, perMs: 4_000 }
  const service = await marketUntil({ ...SIZE, keys, quota })
  const ids = marketCoins(SIZE)
  const lake = (from: number, options?: LakeOptions): Lake => {
    const coins = JSON.stringify(ids.slice(from, from + 20))
    const lines = [
      `market_chart: { coins: ${coins}, granularity: hourly, from: 2024-03-28, to: 2024-04-04 }`,
      `ohlc: { coins: ${coins}, granularity: 4h, from: 2024-03-28, to: 2024-04-04 }`,
    ]
    const made = openLake(service.url, lines, { sinks: ['duckdb'], ...options })
    onTestFinished(() => made.remove())
    return made
  }
  const calledBy = (key: string): number => keyOfCall.filter((one) => one === key).length
  const called = async (least: number): Promise<void> =>
    expect.poll(() => keyOfCall.length, WITHIN_A_MINUTE).toBeGreaterThan(least)
  return { service, lake, calledBy, called }
}

const KEY_A = { COINLAKE_API_KEY: 'key-a' }
const KEY_B = { COINLAKE_API_KEY: 'key-b' }

test('a key and an address that are changed in mid-backfill: the same run goes on with the others', async () => {
  const { service, lake: open, calledBy, called } = await openKeys()
  const moved = await openKeys()
  const lake = open(0)
  const first = lake.start(['backfill'], KEY_A)
  await called(8)
  first.kill('SIGKILL')
  await first.ended
  const before = calledBy('key-a')

  const text = readFileSync(lake.configFile, 'utf8')
  writeFileSync(lake.configFile, text.replace(service.url, moved.service.url))
  const report = reportOf(await lake.start(['backfill', '--json'], KEY_B).ended)
  expect(report).toMatchObject({ verdict: 'complete' })
  // The service logs calls that were in flight when the process was killed.
  expect(calledBy('key-a') - before).toBeLessThanOrEqual(IN_FLIGHT)
  expect(calledBy('key-b')).toBe(0)
  const log = [...service.log, ...moved.service.log]
  expect(repeatedRequests(log)).toBeLessThanOrEqual(IN_FLIGHT)
  const runs = await lake.start(['query', 'select count(*) from _runs', '--format', 'csv']).ended
  expect(runs.stdout.trim().split('\n').at(-1)).toBe('1')
})

test('a key that is changed in mid-window: the window goes on with the other', async () => {
  const { service, lake: open, calledBy, called } = await openKeys()
  const lake = open(0)
  // None is due by itself while this test runs.
  appendFileSync(lake.configFile, 'schedules: { yearly: { cron: "30 0 29 2 *" } }\n')
  const schedule = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await lake.start(['schedule', ...words], KEY_A).ended
    expect(code, stderr).toBe(0)
    return stdout
  }
  const before = lake.start(['worker'], KEY_A)
  await before.says('working on')
  await schedule('apply')
  const source = async (key: Record<string, string>): Promise<string> =>
    /.* source .*/.exec((await lake.start(['doctor'], key).ended).stdout)?.[0] ?? ''
  expect(await source(KEY_B)).toMatch(/^ok .* takes the key/)
  expect(await source(KEY_A)).toMatch(/^- .* uses the key just now/)
  expect([calledBy('key-a'), calledBy('key-b')]).toEqual([0, 2])
  await schedule('trigger', 'yearly')
  await called(8)
  before.kill('SIGTERM')
  expect(await before.ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/stopped\n$/) as string,
  })
  const callsOfA = calledBy('key-a')

  const after = lake.start(['worker'], KEY_B)
  await after.says('schedule yearly: the next window is at 20')
  const outcome = async (): Promise<unknown> =>
    (JSON.parse(await schedule('list', '--json')) as ScheduleRow[])[0]?.outcome
  await expect.poll(outcome, WITHIN_A_MINUTE).toBe('complete')
  after.kill('SIGTERM')
  await after.ended
  expect(calledBy('key-a')).toBe(callsOfA)
  expect(calledBy('key-b')).toBeGreaterThan(0)
  expect(repeatedRequests(service.log)).toBeLessThanOrEqual(IN_FLIGHT)
})

test('a run that is stopped asks for nothing while another warehouse has its key', async () => {
  const { service, lake: open, called } = await openKeys()
  const [stopped, other] = [open(0), open(20)]
  const first = stopped.start(['backfill'], KEY_A)
  await called(8)
  first.kill('SIGINT')
  await first.ended
  const endedMs = Date.now()
  reportOf(await other.start(['backfill', '--json'], KEY_A).ended)
  // By the time of the request: the log has the last ones of the stopped run when they are answered.
  const later = service.log.filter(({ atMs }) => atMs >= endedMs)
  const paths = later.map(({ path }) => path)
  const ids = marketCoins(SIZE).slice(20)
  expect(paths.filter((path) => !ids.some((id) => path.includes(`/${id}/`)))).toEqual([])
  expect(paths).toHaveLength(40)
})

test('a listing of 70 pages stops within a second of `pause`, and goes on', async () => {
  const PAGES = 70
  const ANSWER_MS = 100
  const headers = { 'content-type': 'application/json', date: new Date(NOW_MS).toUTCString() }
  const calls: number[] = []
  const url = await listen((request, response) => {
    calls.push(Date.now())
    const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page'))
    const body = page > PAGES ? '[]' : marketPage(page)
    setTimeout(() => {
      response.writeHead(200, headers).end(body)
    }, ANSWER_MS)
  })
  const lake = openLake(url, ['coin_markets: { every: 1d }'], { sinks: ['duckdb'] })
  onTestFinished(() => lake.remove())
  const run = lake.start(['backfill', '--json'])
  await expect.poll(() => calls.length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(5)
  expect((await lake.run(['pause'])).exitCode).toBe(0)
  const pausedMs = Date.now()
  await sleep(4_000)
  expect(calls.filter((ms) => ms > pausedMs + 1_000)).toEqual([])
  expect(calls.length).toBeLessThan(PAGES)
  expect((await lake.run(['resume'])).exitCode).toBe(0)
  expect(reportOf(await run.ended)).toMatchObject({
    verdict: 'complete',
    rows: PAGES * COINS_PER_PAGE,
  })
  expect(calls.length).toBeLessThanOrEqual(PAGES + 2)
})
