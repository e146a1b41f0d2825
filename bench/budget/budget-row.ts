import type { BudgetCase } from './budget-cases.ts'
import type { CountedCalls } from './budget-service.ts'
import { figure } from '../figure-table.ts'
import type { Column, Row } from '../figure-table.ts'

export interface CaseResult {
  calls: CountedCalls
  /** Time until all clients had ended, and their exit codes; null = they were still running. */
  ended: { afterMs: number; codes: (number | null)[] } | null
}

/** Columns for the calls of coinlake or a peer, for the calls of the other client, and for the end. */
export const BUDGET_COLUMNS: readonly Column[] = [
  { name: 'refused' },
  { name: 'used when steady', unit: '%', decimals: 1 },
  { name: 'used from cold', unit: '%', decimals: 1 },
  { name: 'windows' },
  { name: 'other good' },
  { name: 'other refused' },
  { name: '' },
]

/** Windows of a cold start. The steady state comes after them. */
const COLD_WINDOWS = 2

/** A case as a line of the table. The first window begins with the first good call. */
export function budgetRow(one: BudgetCase, { calls, ended }: CaseResult): Row {
  const { quota, windows, foreignCalls } = one
  const firstMs = calls.good[0] ?? 0
  const within = (times: readonly number[], from: number, to: number): number =>
    times.filter((ms) => {
      const window = (ms - firstMs) / quota.perMs
      return window >= from && window < to
    }).length
  const used = (from: number, to: number): number | null => {
    const allowed = (quota.calls - foreignCalls) * (to - from)
    return figure((within(calls.good, from, to) / allowed) * 100)
  }
  const foreign = [calls.foreignGood, calls.foreignRefused].map((times) =>
    foreignCalls === 0 ? '' : within(times, 0, windows),
  )
  const end =
    ended === null
      ? ''
      : `ended after ${(ended.afterMs / 1000).toFixed(0)} s, exit ${ended.codes.join(', ')}`
  const refused = within(calls.refused, 0, windows)
  const cells = [refused, used(COLD_WINDOWS, windows), used(0, windows), windows, ...foreign, end]
  return { name: one.name, cells }
}
