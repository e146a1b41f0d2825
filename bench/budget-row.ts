import type { BudgetCase } from './budget-cases.ts'
import type { CountedCalls } from './budget-service.ts'

/** What was counted of a case, and what became of who asked. */
export interface CaseResult {
  calls: CountedCalls
  /** When all of them had ended by themselves: after so long, with these exit codes. */
  ended: { afterMs: number; codes: (number | null)[] } | null
}

export const BUDGET_HEAD = [
  'limit',
  'refused',
  'used when steady',
  'used from cold',
  'windows',
  'the other client: good',
  'refused',
  '',
]

/** Windows of a cold start: after them a run is in its steady state. */
const COLD_WINDOWS = 2

/** A case as a line of the table. Windows are counted from the first good call. */
export function budgetRow(one: BudgetCase, { calls, ended }: CaseResult): string[] {
  const { quota, windows, foreignCalls } = one
  const firstMs = calls.good[0] ?? 0
  const within = (times: readonly number[], from: number, to: number): number =>
    times.filter((ms) => {
      const window = (ms - firstMs) / quota.perMs
      return window >= from && window < to
    }).length
  const used = (from: number, to: number): string => {
    const allowed = (quota.calls - foreignCalls) * (to - from)
    return `${((within(calls.good, from, to) / allowed) * 100).toFixed(1)} %`
  }
  const foreign = [calls.foreignGood, calls.foreignRefused].map((times) =>
    foreignCalls === 0 ? '' : String(within(times, 0, windows)),
  )
  const end =
    ended === null
      ? ''
      : `ended after ${(ended.afterMs / 1000).toFixed(0)} s, exit ${ended.codes.join(', ')}`
  return [
    one.name,
    String(within(calls.refused, 0, windows)),
    used(COLD_WINDOWS, windows),
    used(0, windows),
    String(windows),
    ...foreign,
    end,
  ]
}
