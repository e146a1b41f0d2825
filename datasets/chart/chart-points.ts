import { SourceDataError } from '../../api/errors.ts'
import { DAY_MS, SECOND_MS } from '../../config/values/duration.ts'
import type { PageContext, RejectedRow } from '../dataset.ts'
import { reject } from '../record/rejected-rows.ts'
import { Validity } from '../arrow/validity.ts'

/** Latest epoch ms whose microseconds are exact as a JavaScript number: the year 2255. */
const MAX_EXACT_MS = Math.floor(Number.MAX_SAFE_INTEGER / 1000)

/** The good points of one array of `[ms, value]`, in their order. */
export interface Points {
  times: Float64Array
  values: Float64Array
  validity: Validity
  count: number
}

/** Reads an array of `[ms, number | null]`. A bad point alone goes to `rejected`. */
export function readPoints(
  points: readonly unknown[],
  path: string,
  rejected: RejectedRow[],
): Points {
  const times = new Float64Array(points.length)
  const values = new Float64Array(points.length)
  const validity = new Validity(points.length)
  let count = 0
  for (let i = 0; i < points.length; i++) {
    const point = points[i] as readonly unknown[]
    const broken = brokenRule(point, 2, 'not_a_point')
    if (broken !== null) {
      reject(rejected, broken.rule, `${path}[${i}]${broken.at}`, point)
      continue
    }
    times[count] = point[0] as number
    if (point[1] === null) validity.setNull(count)
    else values[count] = point[1] as number
    count++
  }
  return { times: times.subarray(0, count), values, validity, count }
}

/** Whether a JSON value is a time: whole epoch ms whose microseconds are exact too. */
export function isEpochMs(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_EXACT_MS
}

/** No market data is older. */
const OLDEST_MS = Date.UTC(2001, 0)

/**
 * Refuses times in epoch seconds. Read as milliseconds they lie in January 1970, in no slice and at no known distance.
 *
 * @throws SourceDataError: two times or more, and all of them are seconds from 2001 to tomorrow
 */
export function refuseSeconds(times: ArrayLike<number>, { isKept, nowMs }: PageContext): void {
  if (isKept === true || times.length < 2) return
  for (let i = 0; i < times.length; i++) {
    const ms = times[i]! * SECOND_MS
    if (ms < OLDEST_MS || ms > nowMs + DAY_MS) return
  }
  throw new SourceDataError(`$ has times in seconds, not milliseconds: the first is ${times[0]!}`)
}

/**
 * The rule that an array of `[ms, number | null, ...]` breaks, with the place of the bad member; null: none.
 *
 * @param shapeRule the rule of any other shape or length
 */
export function brokenRule(
  point: unknown,
  length: number,
  shapeRule: string,
): { rule: string; at: string } | null {
  if (!Array.isArray(point) || point.length !== length) return { rule: shapeRule, at: '' }
  if (!isEpochMs(point[0])) return { rule: 'not_a_timestamp', at: '[0]' }
  for (let i = 1; i < length; i++) {
    const value: unknown = point[i]
    if (value === null) continue
    if (typeof value !== 'number') return { rule: 'not_a_number', at: `[${i}]` }
    if (!Number.isFinite(value)) return { rule: 'not_finite', at: `[${i}]` }
  }
  return null
}
