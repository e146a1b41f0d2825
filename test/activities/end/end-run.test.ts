import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportRun, verifyRun } from '../../../activities/end/end-run.ts'
import { failSlices } from '../../../activities/fail-slices.ts'
import { noteLostRequest } from '../../../activities/fetch/lost-requests.ts'
import { loadSlices } from '../../../activities/load-slices.ts'
import { newestRuns } from '../../../cli/look/runs.ts'
import { writeOrder } from '../../../activities/plan/order-file.ts'
import { tempName } from '../../../config/atomic-file.ts'
import { coins } from '../fetch/fetch-bench.ts'
import { loadBench, RUN } from '../load-bench.ts'

type Bench = Awaited<ReturnType<typeof loadBench>>

const FAULT = { code: 'SOURCE_NOT_FOUND', reason: 'gone' }

async function verdictOf(
  { deps }: Bench,
  more: { cancelled?: boolean; isFatal?: boolean; runId?: string } = {},
): Promise<string> {
  const fatal = { code: 'SOURCE_AUTH', reason: 'no', hint: 'Do.', exitCode: 4 }
  const { cancelled = false, isFatal = false, runId = RUN } = more
  const { verdict } = await verifyRun(deps, {
    runId,
    cancelled,
    fatal: isFatal ? fatal : null,
  })
  return verdict
}

/** Plans three slices and brings these to an end. */
async function runOf(loaded: readonly number[], failed: readonly number[]): Promise<Bench> {
  const bench = await loadBench()
  const slices = await bench.plan(['usd', 'eur', 'gbp'])
  for (const ordinal of loaded) await bench.page(slices[ordinal]!, 1)
  if (loaded.length > 0) await loadSlices(bench.deps, { runId: RUN, ordinals: [...loaded] })
  const failures = failed.map((ordinal) => ({ ordinal, ...FAULT }))
  if (failures.length > 0) await failSlices(bench.deps, { runId: RUN, failures })
  return bench
}

test.for([
  { name: 'all is in', loaded: [0, 1, 2], failed: [], verdict: 'complete' },
  { name: 'one failed', loaded: [0, 1], failed: [2], verdict: 'partial' },
  { name: 'one was not fetched', loaded: [0, 1], failed: [], verdict: 'partial' },
  { name: 'all failed', loaded: [], failed: [0, 1, 2], verdict: 'failed' },
  {
    name: 'cancelled in the middle',
    loaded: [0],
    failed: [],
    cancelled: true,
    verdict: 'cancelled',
  },
  {
    name: 'cancelled at the end',
    loaded: [0, 1, 2],
    failed: [],
    cancelled: true,
    verdict: 'complete',
  },
  { name: 'a refused key', loaded: [0, 1, 2], failed: [], isFatal: true, verdict: 'failed' },
])('$name: $verdict', async ({ loaded, failed, verdict, ...more }) => {
  expect(await verdictOf(await runOf(loaded, failed), more)).toBe(verdict)
})

test('a run that the store does not know failed, unless it was stopped before its plan', async () => {
  const bench = await loadBench()
  await expect(verdictOf(bench)).rejects.toMatchObject({ code: 'RUN_LOST', exitCode: 5 })
  expect(await verdictOf(bench, { cancelled: true })).toBe('cancelled')
  expect(await verdictOf(bench, { isFatal: true })).toBe('failed')
})

test('a row in quarantine is a hole that must not look like success', async () => {
  const bench = await loadBench()
  const slices = await bench.plan(['usd', 'eur'])
  await bench.page(slices[0]!, 1, { body: [...coins(2), { id: 'bad', symbol: 'b', name: 7 }] })
  await bench.page(slices[1]!, 1)
  await loadSlices(bench.deps, { runId: RUN, ordinals: [0, 1] })
  expect(await bench.states()).toEqual(['loaded', 'loaded'])
  expect(await verdictOf(bench)).toBe('partial')
})

const reportOf = async ({ deps, ordersDir }: Bench, startedAtMs: number, runId = RUN) => {
  const orderId = await writeOrder(ordersDir, { wanted: [] })
  return await reportRun(deps, {
    runId,
    orderId,
    verdict: 'cancelled',
    startedAtMs,
    fatal: null,
    lostKeys: [],
    publications: [],
  })
}

test('the end of a run sweeps what workers that were killed meanwhile have left', async () => {
  const bench = await loadBench()
  await bench.plan(['usd'])
  const ended = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim()
  const tempDir = join(bench.deps.stageDir, 'tmp')
  mkdirSync(tempDir, { recursive: true })
  writeFileSync(join(tempDir, tempName().replace(/\d+$/, ended)), '')
  await reportOf(bench, Date.now())
  expect(readdirSync(tempDir)).toEqual([])
})

test('the report counts the calls of pages that wait in the stage, its own ones', async () => {
  const bench = await loadBench()
  const startedAtMs = Date.now()
  const [usd, eur] = await bench.plan(['usd', 'eur', 'gbp'])
  await bench.page(usd!, 1, { requestedAtMs: startedAtMs + 1 })
  await loadSlices(bench.deps, { runId: RUN, ordinals: [0] })
  await bench.page(eur!, 1, { isLast: false, calls: 2, requestedAtMs: startedAtMs + 2 })
  await bench.page(eur!, 2, { isLast: false, calls: 4, requestedAtMs: startedAtMs - 5_000 })
  const report = await reportOf(bench, startedAtMs)
  expect(report).toMatchObject({ calls: 3, slices: { loaded: 1, missing: 2 } })
})

test('the report counts the calls of its own run, and none of a run beside it', async () => {
  const bench = await loadBench()
  const startedAtMs = Date.now()
  const requestedAtMs = startedAtMs + 1
  const [usd] = await bench.plan(['usd'])
  const [eur] = await bench.plan(['eur'], 'beside')
  for (const slice of [usd!, eur!]) await bench.page(slice, 1, { requestedAtMs })
  for (const runId of [RUN, 'beside']) await loadSlices(bench.deps, { runId, ordinals: [0] })
  const url = 'http://x/v2/coins/list'
  const lost = { operation: 'coins/list', url, status: 503, code: 'SOURCE_UNAVAILABLE' }
  for (const [runId, calls] of [
    [RUN, 10],
    ['beside', 100],
  ] as const) {
    const request = { ...lost, requestId: runId, sliceId: usd!.sliceId, requestedAtMs, calls }
    await noteLostRequest(bench.deps.stageDir, { ...request, runId, durationMs: 1 })
  }
  // The run that ends first collects the notes of both.
  await verdictOf(bench, { runId: 'beside' })
  expect(await reportOf(bench, startedAtMs, 'beside')).toMatchObject({ calls: 101 })
  await verdictOf(bench)
  const report = await reportOf(bench, startedAtMs)
  expect(report).toMatchObject({ calls: 11, datasets: [{ calls: 11 }] })
  const runs = await newestRuns({ rows: (sql, params) => bench.deps.store.query(sql, params) }, 2)
  const callsOf = Object.fromEntries(runs.map(({ runId, calls }) => [runId, calls]))
  expect(callsOf).toEqual({ beside: 101, [RUN]: 11 })
})

test('the report names the slices that the plan left to other runs', async () => {
  const bench = await loadBench()
  const run = { runId: RUN, orderId: 'o', startedAtMs: Date.now(), coinlakeVersion: '' }
  await bench.deps.store.writePlan({ ...run, leftToOthers: 2 }, [])
  expect(await reportOf(bench, Date.now())).toMatchObject({ leftToOthers: 2 })
})
