import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { asActivity } from '../../activities/as-activity.ts'
import { startOfMonthMs } from '../../activities/month-count.ts'
import { createPacer } from '../../api/pacer.ts'
import type { CallRate, Pacer } from '../../api/pacer.ts'
import { linkBudget } from '../../engine/budget-link.ts'
import type { BudgetLink } from '../../engine/budget-link.ts'
import { describeQueue, setQueueCap } from '../../engine/set-queue-cap.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { budgetQuery, budgetWorkflowId } from '../../workflows/budget.ts'
import { engineUnderTest } from './fixtures/engine-under-test.ts'

const RATE: CallRate = { calls: 40, perMs: 2_000 }
const PATIENCE = { timeout: 20_000, interval: 50 }

/** A server with the budget's workflow, and processes (here: pacers) that share one key. */
async function sharedKey() {
  const { engine, client, queues, start } = await engineUnderTest()
  queues.control = `control-${randomUUID()}`
  const control = {
    setCap: asActivity((input: { fetchQueue: string; callsPerSecond: number | null }) =>
      setQueueCap({ ...engine, taskQueue: input.fetchQueue }, input.callsPerSecond, 'test'),
    ),
  }
  const bundle = await workflowBundle({ env: process.env })
  await start({ roles: ['workflows', 'control'], activities: { control }, bundle })
  const keyId = randomUUID()
  const handle = client.workflow.getHandle(budgetWorkflowId(keyId))
  onTestFinished(() => void handle.terminate().catch(() => undefined))
  const used: number[] = []
  const lost: unknown[] = []
  const join = (knownUsed = 0, workflowsId = 'code-1'): { pacer: Pacer; link: BudgetLink } => {
    const pacer = createPacer({ rate: RATE })
    const link = linkBudget({
      client,
      keyId,
      queues,
      place: randomUUID(),
      workflowsId,
      lostAfterMs: 10_000,
      pacer,
      known: { startsAtMs: startOfMonthMs(Date.now()), used: knownUsed },
      onUsed: ({ used: count }) => used.push(count),
      onLost: (error) => lost.push(error),
    })
    onTestFinished(() => link.close())
    return { pacer, link }
  }
  const cap = async (): Promise<number | null> =>
    (await describeQueue({ ...engine, taskQueue: queues.fetch })).callsPerSecond
  return { join, cap, handle, used, lost, client }
}

/** Calls without end, each answered at once; gives the times they left. */
function spend(pacer: Pacer): { timesMs: number[]; stop: () => void } {
  const timesMs: number[] = []
  const abort = new AbortController()
  const work = async (): Promise<void> => {
    for (;;) {
      await pacer.acquire({ signal: abort.signal })
      timesMs.push(Date.now())
      pacer.observe(null)
    }
  }
  work().catch(() => undefined)
  return { timesMs, stop: () => abort.abort() }
}

test('two processes share one window, and the one that is left has it whole again', async () => {
  const { join, cap, used, lost } = await sharedKey()
  const first = join(1_000)
  const one = spend(first.pacer)
  await vi.waitFor(() => expect(one.timesMs.length).toBeGreaterThan(RATE.calls), PATIENCE)
  expect(await cap()).toBe(30)
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

test('a wait that one was told stops all, and ends by itself when all of them are gone', async () => {
  const { join, cap, handle } = await sharedKey()
  const [first, second] = [join(), join()]
  await vi.waitFor(async () => {
    expect(Object.keys((await handle.query(budgetQuery)).members)).toHaveLength(2)
    expect(await cap()).toBe(30)
  }, PATIENCE)
  const untilMs = Date.now() + 4_000
  first.pacer.throttle(untilMs)
  const other = spend(second.pacer)
  await vi.waitFor(async () => expect(await cap()).toBe(0), PATIENCE)
  await vi.waitFor(() => expect(other.timesMs.length).toBeGreaterThan(0), PATIENCE)
  other.stop()
  await Promise.all([first.link.close(), second.link.close()])
  await vi.waitFor(async () => expect(await cap()).toBe(30), PATIENCE)
})

test('a budget that other workflow code began is begun anew, with the month that is known', async () => {
  const { join, handle, used } = await sharedKey()
  const old = join(5, 'code-0')
  await vi.waitFor(async () => {
    expect((await handle.query(budgetQuery)).month.used).toBe(5)
  }, PATIENCE)
  await old.link.close()
  const { pacer } = join(5)
  const work = spend(pacer)
  await vi.waitFor(() => expect(used.at(-1)).toBeGreaterThan(5), PATIENCE)
  work.stop()
  expect((await handle.describe()).memo).toEqual({ workflowsId: 'code-1' })
})
