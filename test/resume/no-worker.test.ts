import { expect, test, vi } from 'vitest'
import { leaseServer } from '../../engine/server/lease-server.ts'
import { repeatedRequests } from '../parts/day-market.ts'
import { reportOf } from './report-of.ts'
import { openMarketLake } from '../parts/market-lake.ts'

const SIZE = { coins: 40, latencyMs: 100 }
const DATASETS = ['market_chart: { coins: "top:40", granularity: hourly, from: 2024-03-28 }']
/** On the server of the test run a worker of another test would answer for the one that is killed. */
const OPTIONS = { engineDir: null }
/** Requests that the killed worker may have had in flight. */
const IN_FLIGHT = 16
const WITHIN = { timeout: 30_000, interval: 200 }
const WHAT = 'an open run without a worker: status tells, pause cannot, cancel ends it'
const FOLLOWED = 'a backfill whose worker is killed goes on with the run itself'

test.concurrent(WHAT, async ({ onTestFinished }) => {
  const { lake } = await openMarketLake(SIZE, DATASETS, OPTIONS, onTestFinished)
  const killed = lake.start(['backfill', '--json'])
  const { runId } = await lake.loaded(0.1)
  // Else the server goes to sleep, and nobody asks the run.
  const held = await leaseServer({ stateDir: lake.engineDir, env: process.env })
  onTestFinished(() => held.release())
  killed.kill('SIGKILL')
  await killed.ended
  // The server may be late with the last heartbeat, which then counts for another second.
  const status = await vi.waitFor(async () => {
    const look = await lake.start(['status']).ended
    expect(look.stdout).toContain(`run ${runId}: open, but no worker works on it`)
    return look
  }, WITHIN)
  expect(status).toMatchObject({ code: 0, stderr: '' })

  expect(await lake.start(['status', '--check']).ended).toMatchObject({ code: 3, stderr: '' })

  const paused = await lake.start(['pause']).ended
  expect(paused).toMatchObject({ code: 1, stdout: '' })
  expect(paused.stderr).toMatch(/^error\[NO_WORKER\]: [^\n]*\n {2}hint: [^\n]*\n$/)

  expect(await lake.start(['cancel']).ended).toMatchObject({
    code: 0,
    stderr: `run ${runId} had no worker and was ended; nothing loaded is lost\n`,
  })
  const again = await lake.start(['cancel']).ended
  expect(again).toMatchObject({ code: 0, stdout: '' })
  expect(again.stderr).toMatch(/^no run is going on in [^\n;]*\n$/)
})

test.concurrent(FOLLOWED, async ({ onTestFinished }) => {
  const { lake, service } = await openMarketLake(SIZE, DATASETS, OPTIONS, onTestFinished)
  const worker = lake.start(['worker'])
  await worker.says('Ctrl-C')
  const backfill = lake.start(['backfill', '--json'])
  const { runId } = await lake.loaded(0.1)
  worker.kill('SIGKILL')
  await worker.ended
  const ended = await backfill.ended
  expect(reportOf(ended, runId)).toMatchObject({ verdict: 'complete' })
  expect(ended.stderr).toContain(`process ${worker.pid} was killed: this process goes on`)
  expect(repeatedRequests(service.log)).toBeLessThanOrEqual(IN_FLIGHT)
  expect(await lake.traces()).toEqual([])
})
