import { DAY_MS } from '../config/values/duration.ts'
import type { OperationId } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { Profile } from '../config/profiles.ts'
import type { Refusal } from './refusal.ts'

const NOT_IN_PLAN = 10_005
const BEYOND_REACH = 10_012

/** The refusal of a request outside the profile's plan; null = allowed. */
export function planRefusal(
  profile: Profile,
  operation: OperationId,
  params: ParamValues,
  nowMs: number,
): Refusal | null {
  for (const limit of profile.served.outsidePlan) {
    const value = params[limit.param]
    if (value === undefined || (limit.operation !== null && limit.operation !== operation)) continue
    if (limit.values !== null && !limit.values.includes(value)) continue
    const message = `the plan of this key does not include ${limit.param}=${value}`
    return { kind: 'plan', code: NOT_IN_PLAN, message }
  }
  const { maxHistoryDays } = profile
  if (maxHistoryDays === null || daysBack(params, nowMs) <= maxHistoryDays) return null
  const message = `the plan of this key reaches at most ${maxHistoryDays} days back`
  return { kind: 'plan', code: BEYOND_REACH, message }
}

/** The age in days of the oldest requested data; 0 = a request without a time. */
function daysBack(params: ParamValues, nowMs: number): number {
  const { days, from, date } = params
  if (days !== undefined) return days === 'max' ? Infinity : Number(days)
  if (from !== undefined) return (nowMs - Number(from) * 1_000) / DAY_MS
  if (date === undefined) return 0
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  return (todayMs - Date.parse(`${date}T00:00:00Z`)) / DAY_MS
}
