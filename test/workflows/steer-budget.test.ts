import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  MAX_BLOCK_MS,
  MEMBER_TTL_MS,
  emptyBudget,
  REPORT_EVERY_MS,
  steerBudget,
} from '../../workflows/steer-budget.ts'
import type { BudgetLease, BudgetReport, BudgetState } from '../../workflows/steer-budget.ts'
import { quietReport } from './quiet-report.ts'

const START = Date.UTC(2026, 10, 21)
const NOVEMBER = Date.UTC(2026, 10, 1)
const DECEMBER = Date.UTC(2026, 11, 1)
const RATE = { calls: 30, perMs: 10_000 }

const report = (member: string, more: Partial<BudgetReport> = {}): BudgetReport =>
  quietReport(member, { known: { startsAtMs: NOVEMBER, used: 0 }, ...more })

/** Reports one after the other at the same moment; gives the last lease. */
function steer(
  reports: readonly BudgetReport[],
  begun: BudgetState = emptyBudget,
  nowMs = START,
): { state: BudgetState; lease: BudgetLease } {
  let result: { state: BudgetState; lease: BudgetLease } | null = null
  for (const one of reports) result = steerBudget(result?.state ?? begun, one, nowMs)
  return result!
}

test('one process has the whole window, two have a half each when the first has given it back', () => {
  const alone = steer([report('a')])
  expect(alone.lease.share).toEqual(RATE)
  const joined = steer([report('b')], alone.state)
  expect(joined.lease).toMatchObject({ share: { calls: 0 }, isShort: true })
  const lowered = steer([report('a', { holds: 30, inWindow: 20 })], joined.state)
  expect(lowered.lease.share?.calls).toBe(15)
  const early = steer([report('b')], lowered.state)
  expect(early.lease.share?.calls).toBe(0)
  const heeded = steer([report('a', { holds: 15, inWindow: 18 })], early.state)
  expect(steer([report('b')], heeded.state).lease.share?.calls).toBe(12)
  const quiet = steer([report('a', { holds: 15, inWindow: 15 })], heeded.state)
  expect(steer([report('b')], quiet.state).lease).toMatchObject({
    share: { calls: 15 },
    isShort: false,
  })
})

test('who has no calls to make has no share', () => {
  const both = steer([report('a'), report('b', { isBusy: false }), report('a', { holds: 30 })])
  expect(both.lease.share?.calls).toBe(30)
})

test('a clock that is set back two hours holds no share and no wait until the old time', () => {
  const { state } = steer([report('killed', { blockedForMs: 60_000 })])
  const backMs = START - 2 * 3_600_000
  const first = steer([report('b')], state, backMs)
  expect(first.lease.blockedForMs).toBe(MAX_BLOCK_MS)
  const laterMs = backMs + MAX_BLOCK_MS
  expect(laterMs).toBeGreaterThan(backMs + MEMBER_TTL_MS + RATE.perMs)
  expect(steer([report('b')], first.state, laterMs).lease).toMatchObject({
    share: RATE,
    blockedForMs: 0,
  })
})

test('the share of a process that was killed is free when its last calls weigh no more', () => {
  const { state } = steer([report('a')])
  const at = (ms: number): number | undefined =>
    steer([report('b')], state, START + ms).lease.share?.calls
  expect(at(MEMBER_TTL_MS + RATE.perMs - 1)).toBe(0)
  expect(at(MEMBER_TTL_MS + RATE.perMs)).toBe(30)
})

test.each([
  { what: 'and those of 3 s after its last report', inWindow: 14, calls: 7 },
  { what: 'up to its share', inWindow: 25, calls: 0 },
])(
  'a process that was killed and begun again waits until its last calls, $what, weigh no more',
  ({ inWindow, calls }) => {
    const { state } = steer([report('a'), report('a', { holds: 30, inWindow })])
    const at = (ms: number): number | undefined =>
      steer([report('b', { place: 'a' })], state, START + ms).lease.share?.calls
    expect(at(1_000)).toBe(calls)
    expect(at(RATE.perMs + 1.5 * REPORT_EVERY_MS - 1)).toBe(calls)
    expect(at(RATE.perMs + 1.5 * REPORT_EVERY_MS)).toBe(30)
  },
)

test.for([
  { what: '3 s of the rate', rate: RATE, upTo: 500, counted: 9 },
  { what: 'a grant below that', rate: RATE, upTo: 5, counted: 5 },
  { what: '20 calls of an unknown rate', rate: null, upTo: 500, counted: 20 },
])('the month counts $what for a process that was killed', ({ rate, upTo, counted }) => {
  const monthClaim = { ceiling: 1_000, reserve: 0, holds: upTo }
  const begun = steer([report('a', { rate, monthClaim })]).state
  begun.members['a']!.granted = upTo
  const used = (...more: Parameters<typeof steer>) => steer(...more).state.month.used
  const next = report('b', { rate, monthClaim })
  // When its successor reports, and without one when its membership has expired.
  expect(used([{ ...next, place: 'a' }], begun, START + 1_000)).toBe(counted)
  expect(used([next], begun, START + MEMBER_TTL_MS)).toBe(counted)
})

test('the share of a process that leaves is free at once, but for its calls of the last window', () => {
  const { state } = steer([report('a'), report('a', { isLeaving: true, inWindow: 20 })])
  const at = (ms: number): number | undefined =>
    steer([report('b')], state, START + ms).lease.share?.calls
  expect([0, RATE.perMs - 1, RATE.perMs].map(at)).toEqual([10, 10, 30])
})

test('of a rate that nobody knows one asks first; without headers nobody is bound', () => {
  const unknown = { rate: null }
  const first = steer([report('a', unknown)])
  expect(first.lease.share).toBeNull()
  expect(steer([report('b', unknown)], first.state).lease.share).toEqual({ calls: 0, perMs: 1 })
  const answered = steer([report('a', { ...unknown, holds: null, calls: 2 })], first.state)
  expect(steer([report('b', unknown)], answered.state).lease.share).toBeNull()
})

test('of a rate that nobody knows one asks first, also when others join who stand before him', () => {
  const unknown = { rate: null }
  const first = steer([report('b', unknown)])
  expect(first.lease.share).toBeNull()
  const joined = steer([report('a', unknown)], first.state)
  expect(joined.lease).toMatchObject({ share: { calls: 0 }, isShort: true })
  const learned = steer([report('b', { holds: null, calls: 2, inWindow: 2 })], joined.state)
  const heeded = steer([report('b', { holds: 15 })], learned.state)
  expect(learned.lease.share?.calls).toBe(15)
  expect(steer([report('a', unknown)], heeded.state).lease.share?.calls).toBe(15)
})

test('of a rate that nobody knows another asks when the first has none to make', () => {
  const unknown = { rate: null }
  const first = steer([report('b', unknown), report('a', unknown)])
  const idle = steer([report('b', { ...unknown, holds: null, isBusy: false })], first.state)
  expect(idle.lease.share?.calls).toBe(0)
  const heeded = steer([report('b', { ...unknown, isBusy: false })], idle.state)
  expect(steer([report('a', unknown)], heeded.state).lease.share).toBeNull()
})

test('a wait that one was told is a wait of all, and it ends', () => {
  const told = steer([report('a', { blockedForMs: 7_000 })])
  const shorter = steer([report('b', { blockedForMs: 2_000 })], told.state)
  expect(shorter.lease.blockedForMs).toBe(7_000)
  expect(steer([report('b')], told.state, START + 2_000).lease.blockedForMs).toBe(5_000)
})

test('the month counts all calls once, survives a lost state, and begins anew', () => {
  const { state } = steer([
    report('a', { calls: 0, known: { startsAtMs: NOVEMBER, used: 100 } }),
    report('a', { calls: 7 }),
    report('a', { calls: 7 }),
    report('b', { calls: 0, known: { startsAtMs: NOVEMBER, used: 90 } }),
    report('b', { calls: 3 }),
  ])
  expect(state.month.used).toBe(110)
  const lost = steer([report('b', { calls: 50, known: state.month }), report('b', { calls: 51 })])
  expect(lost.state.month.used).toBe(111)
  // A process tells what it was told last, and that was in November.
  const later = report('b', { calls: 4, known: state.month })
  expect(steer([later], state, DECEMBER).lease.month).toEqual({ startsAtMs: DECEMBER, used: 1 })
})

const anyReport = fc.record({
  who: fc.constantFrom('a', 'b', 'c', 'd'),
  afterMs: fc.integer({ min: 0, max: 15_000 }),
  spends: fc.double({ min: 0, max: 1, noNaN: true }),
  heeds: fc.boolean(),
  isBusy: fc.boolean(),
  isLeaving: fc.boolean(),
  blockedForMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 * MAX_BLOCK_MS })),
})

test('whatever comes in whatever order: shares never exceed the window, waits are kept and bounded', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.array(anyReport, { maxLength: 60 }),
      (calls, reports) => {
        const rate = { calls, perMs: 10_000 }
        // The lease that each process has: a lease that was sent may never have come.
        const holds = new Map<string, number>()
        let state = emptyBudget
        let nowMs = START
        for (const { who, afterMs, spends, heeds, isBusy, isLeaving, blockedForMs } of reports) {
          nowMs += afterMs
          const held = holds.get(who) ?? 0
          const inWindow = Math.floor(held * spends)
          const told = { rate, holds: held, inWindow, isBusy, isLeaving, blockedForMs }
          const steered = steerBudget(state, report(who, told), nowMs)
          state = steered.state
          for (const name of holds.keys()) if (!(name in state.members)) holds.delete(name)
          if (!isLeaving && heeds) holds.set(who, steered.lease.share!.calls)
          const sum = [...holds.values()].reduce((total, one) => total + one, 0)
          expect(sum).toBeLessThanOrEqual(calls)
          const least = Math.min(blockedForMs, MAX_BLOCK_MS)
          expect(steered.lease.blockedForMs).toBeGreaterThanOrEqual(least)
          expect(steered.lease.blockedForMs).toBeLessThanOrEqual(MAX_BLOCK_MS)
        }
      },
    ),
    { numRuns: 500 },
  )
})
