import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPacer } from '../../api/pacer.ts'
import { countedRun } from './counting-service.ts'
import { FakeTime } from './fake-time.ts'

const WINDOWS = 11
const units = ['seconds_left', 'epoch_s', 'epoch_ms'] as const
const budgets = [
  { calls: 30, perMs: 10_000, least: 0.99 },
  { calls: 500, perMs: 60_000, least: 0.99 },
  { calls: 5, perMs: 1_000, least: 0.9 },
]
/** A second of a window of one second may be lost on learning that it is one. */
const LEARNING_WINDOWS = 4

const base = { rate: null, latenciesMs: [5, 12, 25, 8, 19], callers: 8, windows: WINDOWS }
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0)

describe.each(['fixed', 'sliding'] as const)('a %s window that the headers tell', (kind) => {
  test.for(budgets.flatMap((budget) => units.map((unit) => ({ ...budget, unit }))))(
    '$calls per $perMs ms, reset as $unit: none refused, the budget used',
    async ({ calls, perMs, least, unit }) => {
      const phaseMs = perMs * 0.37 + 123
      const result = await countedRun({ ...base, kind, calls, perMs, unit, phaseMs })
      expect(result.refused).toBe(0)
      const steady = result.perWindow.slice(LEARNING_WINDOWS)
      expect(sum(steady) / (calls * steady.length)).toBeGreaterThanOrEqual(least)
    },
  )
})

test('wherever the window begins, whatever the answers take: none is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        kind: fc.constantFrom('fixed', 'sliding'),
        unit: fc.constantFrom(...units),
        calls: fc.integer({ min: 2, max: 60 }),
        perMs: fc.constantFrom(10_000, 60_000),
        latenciesMs: fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 10 }),
        callers: fc.integer({ min: 1, max: 8 }),
        phaseMs: fc.integer({ min: 0, max: 59_999 }),
      }),
      async (run) => {
        const { refused } = await countedRun({ ...run, rate: null, windows: 3 })
        expect(refused).toBe(0)
      },
    ),
    { numRuns: 60 },
  )
})

test('beside another client of the same key few of our calls are refused', async () => {
  const run = { ...base, calls: 30, perMs: 10_000, foreignCalls: 9, phaseMs: 3_000 } as const
  const result = await countedRun({ ...run, kind: 'fixed', unit: 'epoch_s' })
  expect(result.refused).toBeLessThanOrEqual(2)
  const own = sum(result.perWindow.slice(1)) / (WINDOWS - 1)
  expect(own).toBeGreaterThan(20)
})

test('a rate that is told too high, without headers: lowered by each refusal, once', async () => {
  const time = new FakeTime(0)
  const pacer = createPacer({ rate: { calls: 45, perMs: 10_000 }, clock: time, sleep: time.sleep })
  for (let calls = 1; calls <= 31; calls++) {
    void pacer.acquire().then(() => {
      pacer.observe(null)
      return null
    })
  }
  await time.run()
  // The 31st of a window that began with the first.
  pacer.refused()
  pacer.throttle(10_000)
  pacer.refused()
  expect(pacer.usage()).toMatchObject({ refused: 2, rate: { calls: 40, perMs: 10_000 } })
})

test('a share of a budget holds until another is given', async () => {
  const time = new FakeTime(0)
  const pacer = createPacer({ rate: { calls: 10, perMs: 1_000 }, clock: time, sleep: time.sleep })
  pacer.lease({ calls: 2, perMs: 1_000 })
  const grantedAt: number[] = []
  for (let i = 0; i < 5; i++) {
    void pacer.acquire().then(() => {
      grantedAt.push(time.nowMs())
      pacer.observe(null)
      return null
    })
  }
  await time.run()
  expect(grantedAt).toEqual([0, 500, 1_000, 1_500, 2_000])
  expect(pacer.usage()).toMatchObject({ calls: 5, waiting: 0, inWindow: 2 })
  pacer.lease(null)
  expect(pacer.nextFreeAtMs()).toBe(2_100)
})
