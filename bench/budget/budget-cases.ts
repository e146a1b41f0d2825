import type { ResetUnit, ToldQuota } from '../../test/parts/told-quota.ts'

/** Other clients under the same limit, with their own retries. */
export type BudgetPeer = 'hand' | 'dlt'

/** One rate limit, and the clients that work under it. */
export interface BudgetCase {
  name: string
  quota: ToldQuota
  /** Unit of the reset header; null = no headers at all, only Retry-After. */
  resetUnit: ResetUnit | null
  /** Processes of coinlake with one key, each with a warehouse of its own. A peer has one. */
  processes: number
  /** The other client; null = coinlake. */
  peer: BudgetPeer | null
  /** Number of measured windows. The work lasts longer. */
  windows: number
  /** `source.rate` in calls a window; null = learned. */
  toldCalls: number | null
  /** Calls of another client of the same key, in each window. */
  foreignCalls: number
}

const TEN_S = { calls: 30, perMs: 10_000 }
const MINUTE = { calls: 500, perMs: 60_000 }
const SECOND = { calls: 5, perMs: 1_000 }
const COINLAKE = { peer: null, toldCalls: null, foreignCalls: 0 }
const TEN_S_FIXED = {
  quota: { ...TEN_S, kind: 'fixed' as const },
  resetUnit: 'epoch_s' as const,
  windows: 10,
  processes: 1,
}

/** Number of windows of a case. Of one-minute windows only `epoch_s` gets ten: the unit matters at the start only. */
function windowsOf({ perMs }: { perMs: number }, resetUnit: ResetUnit): number {
  if (perMs === SECOND.perMs) return 40
  return perMs === TEN_S.perMs || resetUnit === 'epoch_s' ? 10 : 5
}

function limits(): BudgetCase[] {
  const cases: BudgetCase[] = []
  for (const budget of [TEN_S, MINUTE, SECOND]) {
    for (const kind of ['fixed', 'sliding'] as const) {
      for (const resetUnit of ['seconds_left', 'epoch_s', 'epoch_ms'] as const) {
        for (const processes of [1, 4]) {
          const { calls, perMs } = budget
          const name = `${calls} per ${perMs / 1000} s, ${kind}, ${resetUnit}, ${processes}p`
          const windows = windowsOf(budget, resetUnit)
          const quota = { ...budget, kind }
          cases.push({ ...COINLAKE, name, quota, resetUnit, processes, windows })
        }
      }
    }
  }
  return cases
}

export const budgetCases: readonly BudgetCase[] = [
  ...limits(),
  {
    ...COINLAKE,
    ...TEN_S_FIXED,
    name: 'no headers, told 45 of 30 per 10 s',
    resetUnit: null,
    toldCalls: 45,
  },
  {
    ...COINLAKE,
    ...TEN_S_FIXED,
    name: 'another client takes 9 of 30 per 10 s',
    foreignCalls: 9,
  },
  { ...COINLAKE, ...TEN_S_FIXED, name: 'peers, 30 per 10 s: coinlake' },
  { ...COINLAKE, ...TEN_S_FIXED, name: 'peers, 30 per 10 s: script by hand', peer: 'hand' },
  { ...COINLAKE, ...TEN_S_FIXED, name: 'peers, 30 per 10 s: dlt', peer: 'dlt' },
]
