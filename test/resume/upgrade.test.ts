import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { BegunRun } from '../../cli/run/begun-run.ts'
import type { ScheduleRow } from '../../cli/schedule/schedule-rows.ts'
import { coinlakeVersion } from '../../cli/version.ts'
import { reportOf } from './report-of.ts'
import type { Lake } from '../parts/lake.ts'
import { repeatedRequests } from '../parts/day-market.ts'
import { openMarketLake } from '../parts/market-lake.ts'
import type { Served } from '../parts/serve-source.ts'
import { OLDER_VERSION, olderBuild, OTHER_WORKFLOWS } from './older-build.ts'
import { tableHashes } from '../parts/table-hashes.ts'

const COINS = 24
const DATASETS = [
  'exchange_rates: { every: 1d }',
  `market_chart: { coins: "top:${COINS}", granularity: hourly, from: 2024-03-28, to: 2024-04-04 }`,
]
const SIZE = { coins: COINS, latencyMs: 40 }
/** The run is open when the older coinlake is killed. */
const SLOW = { from: 12, to: 18, byMs: 1_500 }
/** Pages on their way at a time. */
const IN_FLIGHT = 4
let undisturbed: Record<string, string>
let calls: number

const OPTIONS = { sinks: ['duckdb'], engineDir: null } as const
const openServed = () => openMarketLake({ ...SIZE, slow: SLOW }, DATASETS, OPTIONS)

/** That nothing was lost, written twice, or paid twice beyond what was on its way. */
async function expectWhole(lake: Lake, service: Served): Promise<void> {
  expect(await tableHashes(lake.paths.storeFile)).toEqual(undisturbed)
  const repeated = repeatedRequests(service.log)
  expect(repeated).toBeLessThanOrEqual(IN_FLIGHT)
  expect(service.log.length - repeated).toBe(calls)
  expect((await lake.start(['verify']).ended).stdout).toContain('no difference')
  expect(await lake.traces()).toEqual([])
}

beforeAll(async () => {
  const { service, lake } = await openMarketLake(SIZE, DATASETS, OPTIONS, afterAll)
  expect(reportOf(await lake.start(['backfill', '--json']).ended).verdict).toBe('complete')
  undisturbed = await tableHashes(lake.paths.storeFile)
  calls = service.log.length
})

test.for([
  { what: 'the same workflows goes on with its run', edits: {}, isSameRun: true },
  { what: 'other workflows plans again', edits: OTHER_WORKFLOWS, isSameRun: false },
])('an upgrade in mid-run from a coinlake with $what', async ({ edits, isSameRun }) => {
  const { service, lake } = await openServed()
  const older = olderBuild(edits)
  onTestFinished(() => older.remove())
  const begun = lake.start(['backfill'], {}, older.program)
  // In the middle: its first load may come with its last.
  await expect
    .poll(() => service.log.length, { timeout: 120_000, interval: 20 })
    .toBeGreaterThan(10)
  begun.kill('SIGKILL')
  await begun.ended
  expect(await lake.isRunOpen()).toBe(true)
  const note = readFileSync(join(lake.paths.stateDir, 'begun-run.json'), 'utf8')
  const { runId } = JSON.parse(note) as BegunRun

  const report = reportOf(await lake.start(['backfill', '--json']).ended)
  expect(report).toMatchObject({ verdict: 'complete', coinlakeVersion })
  expect(report.runId === runId).toBe(isSameRun)
  const versions = 'select distinct coinlake_version from _runs order by 1'
  const seen = await lake.start(['query', versions, '--format', 'csv']).ended
  const expected = isSameRun ? [OLDER_VERSION] : [OLDER_VERSION, coinlakeVersion]
  expect(seen.stdout.trim().split('\n').slice(1)).toEqual(expected)
  await expectWhole(lake, service)
})

test("a schedule's window that an older worker has begun is ended by the new one, and the next takes it", async () => {
  const { service, lake } = await openServed()
  const older = olderBuild(OTHER_WORKFLOWS)
  onTestFinished(() => older.remove())
  // None is due by itself while this test runs.
  appendFileSync(lake.configFile, 'schedules: { yearly: { cron: "30 0 29 2 *" } }\n')
  const before = lake.start(['worker'], {}, older.program)
  await before.says('working on')
  const schedule = async (words: string[], program?: string): Promise<string> => {
    const { code, stdout, stderr } = await lake.start(['schedule', ...words], {}, program).ended
    expect(code, stderr).toBe(0)
    return stdout
  }
  await schedule(['apply'], older.program)
  await schedule(['trigger', 'yearly'])
  await expect
    .poll(() => service.log.length, { timeout: 120_000, interval: 50 })
    .toBeGreaterThan(10)
  before.kill('SIGKILL')
  await before.ended

  const after = lake.start(['worker'])
  await after.says(
    'ended a window of yearly that a coinlake with other workflow code had begun: the next window fetches its data',
  )
  await after.says('yearly: another coinlake had applied it; its windows come here from now on')
  await after.says('working on')
  await schedule(['trigger', 'yearly'])
  const outcome = async (): Promise<unknown> =>
    (JSON.parse(await schedule(['list', '--json'])) as ScheduleRow[])[0]?.outcome
  await expect.poll(outcome, { timeout: 120_000, interval: 500 }).toBe('complete')
  after.kill('SIGTERM')
  expect((await after.ended).code).toBe(0)
  await expectWhole(lake, service)
})
