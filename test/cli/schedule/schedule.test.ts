import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Alert } from '../../../activities/alerts/alert.ts'
import type { ScheduleRow } from '../../../cli/schedule/schedule-rows.ts'
import type { Lake } from '../../parts/lake.ts'
import { NOW_MS } from '../../parts/day-market.ts'
import { openMarketLake } from '../../parts/market-lake.ts'

const NO_WORKER = 'no worker runs here'
const HALF_HOUR_MS = 1_800_000
/** The first is due half an hour after the market's present. */
const SCHEDULES = `schedules:
  yearly: { cron: "30 0 5 4 *" }
  sundays: { at: "06:30", days: [sun], time_zone: Europe/Berlin, datasets: [market_chart] }
`

/** Runs a command to its end; its stdout as JSON. */
async function json<T>(lake: Lake, ...words: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await lake.run([...words, '--json'])
  expect(exitCode, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

async function outputOf(lake: Lake, ...words: string[]): Promise<{ code: number; text: string }> {
  const { exitCode, stdout, stderr } = await lake.run(words)
  return { code: exitCode, text: stdout + stderr }
}

/** Begins the windows of a schedule that were due in [from, to). */
async function beginWindows(lake: Lake, name: string, from: string, to: string) {
  return await outputOf(lake, 'schedule', 'backfill', name, '--from', from, '--to', to)
}

test('a window beside a backfill: both end complete, without a seam', async () => {
  const slow = { from: 8, to: 10_000, byMs: 800 }
  const { service, lake } = await openMarketLake({ coins: 5, latencyMs: 10, slow }, [
    'coins: { every: 1d }',
    'market_chart: { coins: "top:5", granularity: hourly, from: 2020-01-01 }',
  ])
  appendFileSync(lake.configFile, SCHEDULES)
  const worker = lake.start(['worker'])
  await worker.says('working on')

  const applied = await lake.run(['schedule', 'apply', '--json'])
  expect(JSON.parse(applied.stdout)).toEqual([
    { name: 'yearly', change: 'created' },
    { name: 'sundays', change: 'created' },
  ])
  expect(applied.stderr).toContain('restart it to apply freshness, alerts and metrics too')
  expect((await lake.run(['schedule', 'apply'])).stderr).toBe('')
  // The schedules are paused, so that the real clock begins no window beside the one that this test begins.
  expect(await outputOf(lake, 'schedule', 'pause', '--all', '--note', 'by hand')).toMatchObject({
    code: 0,
  })
  const [sundays, yearly] = await json<ScheduleRow[]>(lake, 'schedule', 'list')
  expect(yearly).toMatchObject({
    state: 'paused',
    note: 'by hand',
    when: 'cron 30 0 5 4 * UTC',
    last: null,
  })
  expect(sundays).toMatchObject({ when: 'at 06:30 Europe/Berlin on sun', outcome: null })

  const backfill = lake.start(['backfill', '--json'])
  await lake.loaded(0.05)
  // The backfill is paused, so that it outlasts the window on a quick machine, too.
  expect((await outputOf(lake, 'pause')).text).toContain('paused')
  const window = new Date(NOW_MS + HALF_HOUR_MS).toISOString()
  const end = new Date(NOW_MS + HALF_HOUR_MS + 1_000).toISOString()
  const ordered = await beginWindows(lake, 'yearly', window, end)
  expect(ordered).toMatchObject({ code: 0 })
  const outcome = async (): Promise<unknown> => {
    const rows = await json<ScheduleRow[]>(lake, 'schedule', 'list')
    return rows.find(({ name }) => name === 'yearly')
  }
  await expect.poll(outcome, { timeout: 60_000, interval: 300 }).toMatchObject({
    last: window,
    outcome: 'complete',
  })
  expect(backfill.isRunning()).toBe(true)
  expect(await outputOf(lake, 'resume')).toMatchObject({ code: 0 })
  const ended = await backfill.ended
  expect(ended.code, ended.stderr).toBe(0)

  worker.kill('SIGINT')
  const journal = (await worker.ended).stderr
  const of = /run \S+ of schedule yearly/.source
  expect(journal).toMatch(new RegExp(`^${of} begun: (\\d+ slices? to fetch|nothing is due)$`, 'm'))
  const facts = /\d+ slices?, [\d,]+ calls?, [\d,]+ rows?, [\d.]+ (s|min)/.source
  expect(journal).toMatch(new RegExp(`^${of} complete: ${facts}$`, 'm'))
  const verified = await outputOf(lake, 'verify')
  expect(verified.text).toContain('no difference')
  expect(verified.code).toBe(0)
  const urls = service.log.map(({ path, query }) => `${path}?${query}`)
  expect(urls.length - new Set(urls).size).toBe(0)
})

test('a starting worker and `apply` write a lost order of a schedule again; a window without its order fails with an alert', async () => {
  const { lake } = await openMarketLake({ coins: 1, latencyMs: 0 }, ['coins: { every: 1d }'])
  const alertsFile = join(dirname(lake.configFile), 'alerts.json')
  appendFileSync(
    lake.configFile,
    `alerts: { command: [/bin/sh, -c, 'cat >> "$0"; echo >> "$0"', ${alertsFile}] }\nschedules: { yearly: { cron: "30 0 5 4 *" } }\n`,
  )
  const { ordersDir } = lake.paths
  const apply = async () => await json(lake, 'schedule', 'apply')
  const triggered = async (outcome: string): Promise<ScheduleRow['failure']> => {
    await outputOf(lake, 'schedule', 'trigger', 'yearly')
    const rows = async () => await json<ScheduleRow[]>(lake, 'schedule', 'list')
    const last = async () => (await rows())[0]?.outcome
    await expect.poll(last, { timeout: 60_000, interval: 300 }).toBe(outcome)
    return (await rows())[0]!.failure
  }
  await apply()
  // As after `restore --from` into an empty folder: backups have no orders.
  const orders = readdirSync(ordersDir)
  rmSync(ordersDir, { recursive: true })
  const worker = lake.start(['worker'])
  await worker.says('working on')
  expect(readdirSync(ordersDir)).toEqual(orders)
  expect(await triggered('complete')).toBeNull()

  rmSync(ordersDir, { recursive: true })
  expect(await triggered('failed')).toMatchObject({
    code: 'ORDER_LOST',
    hint: expect.stringContaining('coinlake schedule apply') as string,
  })
  const { text } = await outputOf(lake, 'schedule', 'list')
  expect(text).toMatch(/^yearly failed: ORDER_LOST: .*orders.*\n {2}.*coinlake schedule apply/m)
  await worker.says('of schedule yearly broke off: ORDER_LOST: ')
  expect(await apply()).toEqual([{ name: 'yearly', change: 'rewritten' }])
  expect(await apply()).toEqual([{ name: 'yearly', change: 'unchanged' }])
  expect(await triggered('complete')).toBeNull()
  worker.kill('SIGINT')
  await worker.ended
  const lines = existsSync(alertsFile) ? readFileSync(alertsFile, 'utf8').trim().split('\n') : []
  expect(lines.map((line) => JSON.parse(line) as Alert)).toMatchObject([
    { event: 'failed', subject: 'run/yearly', run: { fatal: { code: 'ORDER_LOST' } } },
    { event: 'recovered', subject: 'run/yearly' },
  ])
})

test('a schedule command that cannot be done says what to do instead', async () => {
  const { lake } = await openMarketLake({ coins: 1, latencyMs: 0 }, ['coins: { every: 1d }'])
  const noSchedules = await outputOf(lake, 'schedule', 'apply')
  expect(noSchedules).toMatchObject({
    code: 2,
    text: expect.stringContaining('CONFIG_NO_SCHEDULES') as string,
  })
  const none = await outputOf(lake, 'schedule', 'list')
  expect(none.text).toContain('no schedule: add `schedules:`')
  expect(none.text).not.toContain(NO_WORKER)
  appendFileSync(lake.configFile, 'schedules: { hourly: { every: 1h } }\n')
  for (const [words, code, says] of [
    [['pause'], 'USAGE', '--all'],
    [['pause', 'hourly'], 'NO_SUCH_SCHEDULE', 'coinlake schedule apply'],
    [['trigger', 'daily'], 'NO_SUCH_SCHEDULE', 'coinlake schedule list'],
  ] as const) {
    const answer = await outputOf(lake, 'schedule', ...words)
    expect(answer.code).toBe(2)
    expect(answer.text).toContain(code)
    expect(answer.text).toContain(says)
  }
  expect((await outputOf(lake, 'schedule', 'apply')).text).toContain(NO_WORKER)
  const badDate = await beginWindows(lake, 'hourly', 'yesterday', '2024-01-01')
  expect(badDate).toMatchObject({
    code: 2,
    text: expect.stringContaining('"yesterday"') as string,
  })
  const backfillHourly = async (from: string, to: string) =>
    await beginWindows(lake, 'hourly', from, to)
  expect(await backfillHourly('2024-01-02', '2024-01-01')).toMatchObject({
    code: 2,
    text: expect.stringContaining('is not before --to') as string,
  })
  expect((await outputOf(lake, 'schedule', 'list')).text).toContain(NO_WORKER)
  // `--to` is not included, so the first call begins no window. No worker is there, so the window of the second call
  // stays the last that was begun.
  expect((await backfillHourly('2024-01-01T00:30Z', '2024-01-01T01:00Z')).code).toBe(0)
  expect((await backfillHourly('2024-01-01T05:00Z', '2024-01-01T06:00Z')).code).toBe(0)
  const last = async () =>
    (await json<{ last: string | null }[]>(lake, 'schedule', 'list'))[0]?.last
  await expect.poll(last, { timeout: 30_000, interval: 300 }).not.toBeNull()
  expect(await last()).toBe('2024-01-01T05:00:00.000Z')
  // The windows of a backfill wait for the running one, and the server would drop a triggered one.
  expect(await backfillHourly('2024-01-02', '2024-01-03')).toMatchObject({
    code: 0,
    text: expect.stringContaining(NO_WORKER) as string,
  })
  const trigger = async () => await outputOf(lake, 'schedule', 'trigger', 'hourly')
  await expect.poll(trigger, { timeout: 30_000, interval: 300 }).toMatchObject({
    code: 6,
    text: expect.stringMatching(/SCHEDULE_BUSY.*\d+ windows of it wait/s) as string,
  })
  expect(await json(lake, 'schedule', 'delete', '--all')).toEqual([
    { name: 'hourly', done: 'deleted' },
  ])
})
