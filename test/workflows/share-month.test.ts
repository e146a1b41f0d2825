import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { leaseWithoutBudget, type MonthLease } from '../../workflows/share-month.ts'
import { MEMBER_TTL_MS, emptyBudget, steerBudget } from '../../workflows/steer-budget.ts'
import type { BudgetReport, BudgetState } from '../../workflows/steer-budget.ts'
import { quietReport } from './quiet-report.ts'

const START = Date.UTC(2026, 10, 21)
const NOVEMBER = Date.UTC(2026, 10, 1)
const DECEMBER = Date.UTC(2026, 11, 1)
const LIMITS = { ceiling: 100, reserve: 10 }

const report = (member: string, more: Partial<BudgetReport> = {}): BudgetReport =>
  quietReport(member, {
    known: { startsAtMs: NOVEMBER, used: 0 },
    monthClaim: { ...LIMITS, holds: 0 },
    ...more,
  })

/** Reports one after the other at the same moment. */
function steer(
  reports: readonly BudgetReport[],
  begun: BudgetState = emptyBudget,
  nowMs = START,
): { state: BudgetState; lease: MonthLease | null } {
  let state = begun
  let lease: MonthLease | null = null
  for (const one of reports) {
    const steered = steerBudget(state, one, nowMs)
    state = steered.state
    lease = steered.lease.monthLease
  }
  return { state, lease }
}

const known = (used: number): Partial<BudgetReport> => ({ known: { startsAtMs: NOVEMBER, used } })

test('a backfill stops before the reserve, all else at the ceiling', () => {
  expect(steer([report('a', known(40))]).lease).toEqual({
    upTo: { backfill: 50, others: 60 },
    isLast: { backfill: false, others: false },
  })
  expect(steer([report('a', known(90))]).lease).toEqual({
    upTo: { backfill: 0, others: 10 },
    isLast: { backfill: true, others: false },
  })
  expect(steer([report('a', known(100))]).lease?.isLast).toEqual({ backfill: true, others: true })
})

test('nobody is bound where nobody knows a ceiling, and all are where one does', () => {
  const free = report('a', { monthClaim: { ceiling: null, reserve: 0, holds: 0 } })
  const { monthClaim: _none, ...without } = report('b')
  expect(steer([free, without]).lease).toBeNull()
  expect(steer([report('c'), free]).lease?.upTo.others).toBe(0)
})

test('the largest reserve and the lowest ceiling of all processes hold', () => {
  const other = report('b', { isBusy: false, monthClaim: { ceiling: 80, reserve: 30, holds: 0 } })
  // 80 - 40 = 40 are left, 10 of them for a backfill; b has nothing to fetch, so a gets all.
  expect(steer([other, report('a', known(40))]).lease?.upTo).toEqual({ backfill: 10, others: 40 })
})

test('what is left is shared by those who have calls to make', () => {
  const { state } = steer([report('a', { ...known(90), calls: 0 }), report('b')])
  // All was granted to a, until a has heard that there is another one.
  const lowered = steer([report('a', { monthClaim: { ...LIMITS, holds: 10 } })], state)
  expect(lowered.lease?.upTo.others).toBe(5)
  expect(steer([report('b')], lowered.state).lease?.upTo.others).toBe(0)
  const heard = steer([report('a', { monthClaim: { ...LIMITS, holds: 5 } })], lowered.state)
  expect(steer([report('b')], heard.state).lease?.upTo.others).toBe(3)
  const idle = steer([report('a', { isBusy: false, monthClaim: { ...LIMITS, holds: 5 } })])
  expect(idle.lease?.upTo.others).toBe(0)
})

test('a process that vanished counts for what it may have asked since its last word', () => {
  const { state } = steer([report('a', known(40))])
  const later = START + MEMBER_TTL_MS
  expect(steer([report('b')], state, later).state.month.used).toBe(40 + 9)
  const again = report('b', { place: 'a' })
  expect(steer([again], state, START + 1).state.month.used).toBe(40 + 9)
  const idle = steer([report('a', { isBusy: false })], state)
  const quiet = steer([report('a', { isBusy: false })], idle.state)
  expect(steer([report('b')], quiet.state, later).state.month.used).toBe(40)
})

test('a new month has all its calls again', () => {
  const { state } = steer([report('a', known(100))])
  const { lease } = steer([report('a', { calls: 3, ...known(100) })], state, DECEMBER)
  expect(lease).toMatchObject({ isLast: { backfill: false, others: false } })
  expect(lease?.upTo.others).toBe(3 + 97)
})

test('a process that reaches nobody keeps to what it knows', () => {
  expect(leaseWithoutBudget({ startsAtMs: NOVEMBER, used: 60 }, LIMITS, 7)).toEqual({
    upTo: { backfill: 37, others: 47 },
    isLast: { backfill: true, others: true },
  })
  expect(
    leaseWithoutBudget({ startsAtMs: 0, used: 60 }, { ceiling: null, reserve: 0 }, 7),
  ).toBeNull()
})

/** Else most runs end before two processes hold anything at once. */
const usually = (value: boolean): fc.Arbitrary<boolean> =>
  fc.integer({ min: 1, max: 8 }).map((drawn) => (drawn === 1 ? !value : value))

const anyReport = fc.record({
  who: fc.constantFrom('a', 'b', 'c', 'd'),
  afterMs: fc.integer({ min: 0, max: 8_000 }),
  spends: fc.double({ min: 0, max: 1, noNaN: true }),
  isBackfill: fc.boolean(),
  heeds: usually(true),
  isBusy: usually(true),
  isLeaving: usually(false),
})

test('whatever comes in whatever order: calls never exceed the ceiling, those of backfills the rest', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: 50 }),
      fc.array(anyReport, { maxLength: 60, size: 'max' }),
      (ceiling, reserve, reports) => {
        // The calls and the lease of each process: a lease that was sent may never have come.
        const calls = new Map<string, number>()
        const leases = new Map<string, MonthLease>()
        let state = emptyBudget
        let nowMs = START
        let made = 0
        let backfilled = 0
        for (const { who, afterMs, spends, isBackfill, heeds, isBusy, isLeaving } of reports) {
          nowMs += afterMs
          const before = calls.get(who) ?? 0
          const upTo = leases.get(who)?.upTo
          const limit = (isBackfill ? upTo?.backfill : upTo?.others) ?? 0
          const spent = Math.floor(Math.max(0, limit - before) * spends)
          calls.set(who, before + spent)
          made += spent
          expect(made).toBeLessThanOrEqual(ceiling)
          backfilled += isBackfill ? spent : 0
          expect(backfilled).toBeLessThanOrEqual(Math.max(0, ceiling - reserve))
          const told = {
            calls: before + spent,
            isBusy,
            isLeaving,
            known: { startsAtMs: NOVEMBER, used: made },
            monthClaim: { ceiling, reserve, holds: upTo?.others ?? 0 },
          }
          const steered = steerBudget(state, report(who, told), nowMs)
          state = steered.state
          expect(state.month.used).toBeGreaterThanOrEqual(made)
          for (const name of leases.keys()) if (!(name in state.members)) leases.delete(name)
          const lease = steered.lease.monthLease
          if (lease !== null && heeds) leases.set(who, lease)
        }
      },
    ),
    { numRuns: 500 },
  )
})
