import type { QuotaOptions } from '../service/quota.ts'
import type { ResetUnit } from '../service/quota-headers.ts'

/** One limit, and who works under it. */
export interface BudgetCase {
  name: string
  quota: QuotaOptions
  /** How the reset is told; null = no headers at all. */
  resetUnit: ResetUnit | null
  /** Processes of coinlake, each with a warehouse of its own, all with one key. */
  processes: number
  /** Windows that are measured; there is work for more. */
  windows: number
  /** `source.rate` in calls a window; null = learned. */
  toldCalls: number | null
  /** Calls of another client of the same key, in each window. */
  foreignCalls: number
}

const TEN_S = { calls: 30, perMs: 10_000 }
const MINUTE = { calls: 500, perMs: 60_000 }
const SECOND = { calls: 5, perMs: 1_000 }
const NOBODY = { toldCalls: null, foreignCalls: 0 }

function limits(): BudgetCase[] {
  const cases: BudgetCase[] = []
  for (const [budget, windows] of [
    [TEN_S, 10],
    [MINUTE, 4],
    [SECOND, 40],
  ] as const) {
    for (const kind of ['fixed', 'sliding'] as const) {
      for (const resetUnit of ['seconds_left', 'epoch_s', 'epoch_ms'] as const) {
        for (const processes of [1, 4]) {
          const { calls, perMs } = budget
          const name = `${calls} per ${perMs / 1000} s, ${kind}, ${resetUnit}, ${processes}p`
          cases.push({ ...NOBODY, name, quota: { ...budget, kind }, resetUnit, processes, windows })
        }
      }
    }
  }
  return cases
}

/** All that is measured. */
export const budgetCases: readonly BudgetCase[] = [
  ...limits(),
  {
    name: 'no headers, told 45 of 30 per 10 s',
    quota: { ...TEN_S, kind: 'fixed' },
    resetUnit: null,
    processes: 1,
    windows: 10,
    toldCalls: 45,
    foreignCalls: 0,
  },
  {
    name: 'another client takes 9 of 30 per 10 s',
    quota: { ...TEN_S, kind: 'fixed' },
    resetUnit: 'epoch_s',
    processes: 1,
    windows: 10,
    toldCalls: null,
    foreignCalls: 9,
  },
]
