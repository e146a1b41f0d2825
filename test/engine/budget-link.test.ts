import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startOfMonthMs } from '../../api/month-gate.ts'
import { createPacer, type Pacer } from '../../api/pacer.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import { linkBudget } from '../../engine/budget-link.ts'
import type { BudgetLink } from '../../engine/follow-budget.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { budgetQuery, budgetUpdate, budgetWorkflowId } from '../../workflows/budget.ts'
import { engineUnderTest } from './fixtures/engine-under-test.ts'

const RATE: CallRate = { calls: 40, perMs: 2_000 }
const PATIENCE = { timeout: 20_000, interval: 50 }

/** A server with the budget's workflow, and processes (here: pacers) that share one key. */
async function sharedKey() {
  const { client, start } = await engineUnderTest()
  await start({ roles: ['budget'], workflowBundle: await workflowBundle({ env: process.env }) })
  const keyId = randomUUID()
  const handle = client.workflow.getHandle(budgetWorkflowId(keyId))
  onTestFinished(() => void handle.terminate().catch(() => undefined))
  const used: number[] = []
  const lost: unknown[] = []
  const join = (knownUsed = 0): { pacer: Pacer; link: BudgetLink } => {
    const pacer = createPacer({ rate: RATE })
    const link = linkBudget({
      client,
      keyId,
      place: randomUUID(),
      lostAfterMs: 10_000,
      pacer,
      monthUse: { startsAtMs: startOfMonthMs(Date.now()), used: knownUsed },
      onUsed: ({ used: count }) => used.push(count),
      onLost: (error) => lost.push(error),
    })
    onTestFinished(() => link.close())
    return { pacer, link }
  }
  return { join, handle, used, lost }
}

/** Calls without end, each answered at once; gives the times they left. */
function spend(pacer: Pacer): { timesMs: number[]; stop: () => void } {
  const timesMs: number[] = []
  const abort = new AbortController()
  const work = async (): Promise<void> => {
    for (;;) {
      await pacer.acquire({ signal: abort.signal })
      timesMs.push(Date.now())
      pacer.observe(null, 0)
    }
  }
  work().catch(() => undefined)
  return { timesMs, stop: () => abort.abort() }
}

test('two processes share one window, and the one that is left has it whole again', async () => {
  const { join, used, lost } = await sharedKey()
  const first = join(1_000)
  const one = spend(first.pacer)
  await vi.waitFor(() => expect(one.timesMs.length).toBeGreaterThan(RATE.calls), PATIENCE)
  const second = join()
  const two = spend(second.pacer)
  await vi.waitFor(() => expect(two.timesMs.length).toBeGreaterThan(RATE.calls), PATIENCE)
  one.stop()
  await first.link.close()
  const before = two.timesMs.length
  await vi.waitFor(() => {
    expect(two.timesMs.length).toBeGreaterThan(before + RATE.calls)
    const sinceMs = two.timesMs.at(-1)! - RATE.perMs
    expect(two.timesMs.filter((ms) => ms > sinceMs).length).toBeGreaterThan(RATE.calls * 0.8)
  }, PATIENCE)
  two.stop()
  const all = [...one.timesMs, ...two.timesMs].toSorted((a, b) => a - b)
  for (let i = RATE.calls; i < all.length; i++) {
    expect(all[i]! - all[i - RATE.calls]!).toBeGreaterThanOrEqual(RATE.perMs)
  }
  await second.link.close()
  expect(used.at(-1)).toBeGreaterThan(1_000)
  expect(used.at(-1)).toBeLessThanOrEqual(1_000 + all.length)
  expect(lost).toEqual([])
})

test('a wait that one was told is a wait of all, and ends', async () => {
  const { join, handle } = await sharedKey()
  const [first, second] = [join(), join()]
  const one = spend(first.pacer)
  await vi.waitFor(() => expect(one.timesMs.length).toBeGreaterThan(0), PATIENCE)
  one.stop()
  const untilMs = Date.now() + 4_000
  first.pacer.throttle(untilMs)
  await vi.waitFor(async () => {
    expect((await handle.query(budgetQuery)).blockedUntilMs).toBeGreaterThan(Date.now())
  }, PATIENCE)
  const other = spend(second.pacer)
  await vi.waitFor(() => expect(other.timesMs.length).toBeGreaterThan(0), PATIENCE)
  expect(other.timesMs[0]).toBeGreaterThan(untilMs - 1_000)
  other.stop()
})

test('a process without calls to make is no member; it joins with its first wish and leaves by itself', async () => {
  const { join, handle, used } = await sharedKey()
  const members = async (): Promise<number> =>
    Object.keys((await handle.query(budgetQuery)).members).length
  const [busy] = [join(7), join()]
  const one = spend(busy.pacer)
  await vi.waitFor(() => expect(one.timesMs.length).toBeGreaterThan(5), PATIENCE)
  expect(await members()).toBe(1)
  one.stop()
  await vi.waitFor(async () => expect(await members()).toBe(0), PATIENCE)
  const again = spend(busy.pacer)
  await vi.waitFor(() => expect(again.timesMs.length).toBeGreaterThan(5), PATIENCE)
  again.stop()
  await busy.link.close()
  expect(used.at(-1)).toBe(7 + one.timesMs.length + again.timesMs.length)
})

test('a budget begins anew after some reports, and serves those who join later', async () => {
  const { join, handle, used, lost } = await sharedKey()
  const runIds = new Set<string>()
  for (let visit = 1; visit <= 30; visit += 1) {
    const { pacer, link } = join()
    await pacer.acquire({ signal: AbortSignal.timeout(PATIENCE.timeout) })
    pacer.observe(null, 0)
    await link.close()
    const { runId, historyLength } = await handle.describe()
    runIds.add(runId)
    expect(historyLength).toBeLessThan(130)
  }
  expect(runIds.size).toBeGreaterThan(2)
  expect(used.at(-1)).toBe(30)
  expect(lost).toEqual([])
})

test('a budget does not begin anew for a process that leaves, whose worker may end', async () => {
  const { join, handle } = await sharedKey()
  const { pacer, link } = join()
  await pacer.acquire({})
  await link.close()
  const { runId } = await handle.describe()
  const known = { startsAtMs: startOfMonthMs(Date.now()), used: 0 }
  const usage = { calls: 0, inWindow: 0, isBusy: false, holds: 0, rate: null, blockedForMs: 0 }
  const leaving = { member: 'm', place: 'p', ...usage, isLeaving: true, known }
  let historyLength = 0
  while (historyLength < 150) {
    await handle.executeUpdate(budgetUpdate, { args: [leaving] })
    const now = await handle.describe()
    expect(now.runId).toBe(runId)
    historyLength = now.historyLength
  }
  await handle.executeUpdate(budgetUpdate, { args: [{ ...leaving, isLeaving: false }] })
  await expect.poll(async () => (await handle.describe()).runId, PATIENCE).not.toBe(runId)
})
