import { expect, onTestFinished, test, vi } from 'vitest'
import { createPacer } from '../../api/pacer.ts'
import { followBudget } from '../../engine/follow-budget.ts'
import { type BudgetReport, emptyBudget, steerBudget } from '../../workflows/steer-budget.ts'

const RATE = { calls: 20, perMs: 100 }

test('nothing leaves any more when a process has said that its share is free', async () => {
  let state = emptyBudget
  const reports: BudgetReport[] = []
  const pacer = createPacer({ rate: RATE })
  const link = followBudget({
    member: 'a',
    place: 'a',
    pacer,
    monthUse: { startsAtMs: 0, used: 0 },
    onUsed: () => undefined,
    onLost: () => undefined,
    ask: async (report) => {
      reports.push(report)
      const steered = steerBudget(state, report, Date.now())
      state = steered.state
      return steered.lease
    },
  })
  // Pages of other processes with the key go on coming to this one.
  const ending = new AbortController()
  const asking = (async () => {
    for (;;) {
      await pacer.acquire({ signal: ending.signal })
      pacer.observe(null, 0)
    }
  })().catch(() => undefined)
  await vi.waitFor(() => expect(pacer.usage().calls).toBeGreaterThan(RATE.calls))
  await link.close()
  expect(reports.at(-1)).toMatchObject({ isLeaving: true, calls: pacer.usage().calls })
  // Several windows in which its share would have let it ask.
  await new Promise((resolve) => setTimeout(resolve, 3 * RATE.perMs))
  expect(pacer.usage().calls).toBe(reports.at(-1)?.calls)
  expect(pacer.usage().waiting).toBe(1)
  ending.abort()
  await asking
})

test('reports go on after a clock was set back two hours', async () => {
  let nowMs = Date.UTC(2026, 0, 15)
  let calls = 0
  const reportedAtMs: number[] = []
  const usage = () => ({ calls, waiting: 1, inWindow: 0, rate: null, throttledUntilMs: 0 })
  const link = followBudget({
    member: 'a',
    place: 'a',
    pacer: { usage, setLease: () => undefined, throttle: () => undefined },
    monthUse: { startsAtMs: 0, used: 0 },
    onUsed: () => undefined,
    onLost: () => undefined,
    ask: async (report) => {
      calls += 1
      reportedAtMs.push(nowMs)
      return steerBudget(emptyBudget, report, nowMs).lease
    },
    clock: { nowMs: () => nowMs },
    sleep: async (ms) => {
      nowMs += ms
      await new Promise(setImmediate)
    },
  })
  onTestFinished(() => link.close())
  await vi.waitFor(() => expect(reportedAtMs.length).toBeGreaterThan(2))
  const before = reportedAtMs.length
  const backMs = nowMs - 2 * 3_600_000
  nowMs = backMs
  await vi.waitFor(() => expect(reportedAtMs.length).toBeGreaterThan(before))
  expect(reportedAtMs[before]).toBeLessThan(backMs + 10_000)
})
