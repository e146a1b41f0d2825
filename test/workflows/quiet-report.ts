import type { BudgetReport } from '../../workflows/steer-budget.ts'

/** The report of a process that has calls to make and nothing new, with parts replaced. */
export function quietReport(member: string, more: Partial<BudgetReport> = {}): BudgetReport {
  return {
    member,
    place: member,
    calls: 0,
    inWindow: 0,
    isBusy: true,
    holds: 0,
    rate: { calls: 30, perMs: 10_000 },
    blockedForMs: 0,
    isLeaving: false,
    known: { startsAtMs: 0, used: 0 },
    ...more,
  }
}
