import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DayMarket, NOW, repeatedRequests } from '../parts/day-market.ts'
import { reportOf } from './report-of.ts'
import { openMarketLake } from '../parts/market-lake.ts'

/** `source.concurrency` of the lake's config. */
const IN_FLIGHT = 4

test('two equal backfills begun at once are one run, and both tell of it', async () => {
  const { lake } = await openMarketLake({ coins: 5, latencyMs: 200 }, [
    'coin_markets: { every: 1d }',
  ])
  const backfill = ['backfill', '--json']
  const [one, two] = await Promise.all(
    [lake.start(backfill), lake.start(backfill)].map(({ ended }) => ended),
  )
  expect(reportOf(one!)).toMatchObject({ verdict: 'complete', rows: 5 })
  expect(reportOf(two!)).toEqual(reportOf(one!))
  expect(await lake.traces()).toEqual([])
})

test('two different backfills begun at once: one runs, the other is told of it', async () => {
  const lines = ['coin_markets: { every: 1d }', 'exchange_rates: { every: 1d }']
  const { lake } = await openMarketLake({ coins: 5, latencyMs: 200 }, lines)
  const orders = [[], ['--dataset', 'coin_markets']]
  const both = orders.map((words) => lake.start(['backfill', '--json', ...words]))
  const ended = await Promise.all(both.map((process) => process.ended))
  const [ran, told] = ended.toSorted((a, b) => Number(a.code) - Number(b.code))
  expect(reportOf(ran!)).toMatchObject({ verdict: 'complete' })
  expect(told).toMatchObject({ code: 6 })
  expect(told!.stderr).toContain('RUN_IN_PROGRESS')
  expect(await lake.traces()).toEqual([])
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  'another order after %s goes on at once, without a call for the order before',
  async (signal) => {
    const { lake, service } = await openMarketLake({ coins: 40, latencyMs: 100 }, [
      'market_chart: { coins: "top:40", granularity: hourly, from: 2024-03-28 }',
    ])
    const first = lake.start(['backfill'])
    const { runId } = await lake.loaded(0.1)
    first.kill(signal)
    await first.ended
    expect(await lake.isRunOpen()).toBe(true)
    const endedMs = Date.now()

    const words = ['--dataset', 'market_chart', '--coins', 'bitcoin', '--granularity', 'daily']
    const second = await lake.start(['backfill', '--json', ...words]).ended
    const { verdict, calls: told } = reportOf(second)
    expect(verdict).toBe('complete')
    expect(second.stderr).toContain(`run ${runId} was broken off and is over`)
    // By the time of the request: the log has the last ones of a killed run when they are answered.
    const asked = service.log.filter(({ atMs }) => atMs >= endedMs)
    const later = asked.map(({ path }) => path)
    expect(later.filter((path) => !path.includes('/bitcoin/'))).toEqual([])
    expect(later).toHaveLength(told)
  },
)

const HOURS_LATER = 'the same order, hours after a kill, is complete up to now: the run'

/** A lake whose run was planned a day ago and broken off. On its own server: a worker of another test would go on with the run. */
async function brokenOffLake(market: Partial<DayMarket> = {}) {
  const { lake, service } = await openMarketLake(
    { coins: 40, latencyMs: 100, ...market },
    ['market_chart: { coins: "top:40", granularity: hourly, from: 2024-03-28 }'],
    { engineDir: null },
  )
  const killed = lake.start(['backfill'], { COINLAKE_NOW: '2024-04-04T02:30:00Z' })
  const { runId } = await lake.loaded(0.1)
  killed.kill('SIGKILL')
  await killed.ended
  expect(await lake.isRunOpen()).toBe(true)
  return { lake, service, runId }
}

test.each([
  { how: 'of then is over', isOver: true, workers: 0, isOwn: true },
  {
    how: 'that a worker goes on with is followed by another',
    isOver: false,
    workers: 1,
    isOwn: true,
  },
  {
    how: 'of another machine lives, and is followed by another',
    isOver: false,
    workers: 0,
    isOwn: false,
  },
])(`${HOURS_LATER} $how`, async ({ isOver, workers, isOwn }) => {
  const { lake, service, runId } = await brokenOffLake()
  // The folder of another machine knows the order, and has not begun the run.
  if (!isOwn) rmSync(join(lake.paths.stateDir, 'begun-run.json'))
  const worker = workers === 0 ? null : lake.start(['worker'])
  await worker?.says('Ctrl-C')
  const later = await lake.start(['backfill', '--json']).ended
  const report = reportOf(later)
  expect(report.verdict).toBe('complete')
  expect(report.runId).not.toBe(runId)
  expect(later.stderr.includes(`run ${runId} was broken off and is over`)).toBe(isOver)
  worker?.kill('SIGTERM')
  await worker?.ended
  const newest = `select min(newest) as newest from
    (select max(ts) as newest from market_chart group by coin_id)`
  const { stdout } = await lake.run(['query', newest, '--format', 'json'])
  const [{ newest: newestAt }] = JSON.parse(stdout) as [{ newest: string }]
  expect(Date.parse(newestAt)).toBeGreaterThan(Date.parse(NOW) - 3_600_000)
  expect(repeatedRequests(service.log)).toBeLessThanOrEqual(IN_FLIGHT)
  expect(await lake.traces()).toEqual([])
})

test('a backfill whose stopped worker is followed by a later command goes on with the run of that one', async () => {
  let held = Promise.resolve()
  const { lake, runId } = await brokenOffLake({ hold: () => held })
  let release: () => void = () => undefined
  held = new Promise((resolve) => (release = resolve))
  const worker = lake.start(['worker'])
  await worker.says('Ctrl-C')
  const first = lake.start(['backfill', '--json'])
  await first.says(`going on with run ${runId}`)
  worker.kill('SIGTERM')
  release()
  await worker.ended
  expect(await lake.isRunOpen()).toBe(true)
  const second = await lake.start(['backfill', '--json']).ended
  const followed = await first.ended
  expect(second.stderr).toContain(`run ${runId} was broken off and is over`)
  expect(followed.stderr).toContain('another plan begins; another run goes on')
  expect(reportOf(followed)).toEqual(reportOf(second))
  expect(await lake.traces()).toEqual([])
})
