import type { Operation, Param, ParamValues } from '../api/operation.ts'

/** Either the parameters as a source gets them, or the answer that refuses the request. */
export type CheckedParams =
  | { ok: true; params: ParamValues }
  | { ok: false; status: 400 | 422; message: string }

/** Digits only, optional sign: what parseInt would accept beyond that is a typing error of the caller. */
const INTEGER = /^-?\d{1,15}$/
/** Days may be fractions: clients in the wild ask for 6 minutes as 0.004167. */
const DAYS = /^\d{1,6}(\.\d{1,9})?$/

/**
 * Checks the parameters of a request by the one description in api/ and fills in defaults. Unknown
 * parameters are ignored, as the interface's service does. A missing one is 422, a wrong one 400.
 */
export function checkParams(
  operation: Operation,
  given: Readonly<Record<string, string | undefined>>,
): CheckedParams {
  const params: Record<string, string> = {}
  for (const param of operation.params) {
    const value = given[param.name] ?? param.default ?? ''
    if (value === '') {
      if (!param.required) continue
      return { ok: false, status: 422, message: `Missing parameter ${param.name}` }
    }
    const checked = checkValue(operation, param, value)
    if (checked === null) {
      const message = `Invalid parameter ${param.name}: ${JSON.stringify(value)}`
      return { ok: false, status: 400, message: `${message}, expected ${expectation(param)}` }
    }
    params[param.name] = checked
  }
  return { ok: true, params }
}

/** The value as it will be used, or null when it cannot be. */
function checkValue(operation: Operation, param: Param, value: string): string | null {
  switch (param.type) {
    case 'integer':
    case 'epoch_s':
      return INTEGER.test(value) ? boundedInteger(operation, param, Number(value)) : null
    case 'days':
      if (param.allowed !== undefined) return param.allowed.includes(value) ? value : null
      return value === 'max' || (DAYS.test(value) && Number(value) > 0) ? value : null
    case 'boolean':
      return value === 'true' || value === 'false' ? value : null
    case 'csv': {
      const items = value.split(',')
      if (items.length > (param.maxItems ?? Infinity)) return null
      return items.every((item) => isAllowed(param, item)) ? value : null
    }
    case 'date':
      return isCalendarDay(value) ? value : null
    default:
      return isAllowed(param, value) ? value : null
  }
}

/** A day of the calendar as YYYY-MM-DD and nothing else: no 30 February, no time. */
function isCalendarDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const ms = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value)
}

function isAllowed(param: Param, value: string): boolean {
  return param.allowed === undefined || param.allowed.includes(value)
}

/** Page numbers and sizes are clamped, as the real service does; other bounds refuse. */
function boundedInteger(operation: Operation, param: Param, value: number): string | null {
  const min = param.min ?? -Infinity
  const max = param.max ?? Infinity
  const isPaging =
    operation.paging.kind === 'pages' &&
    (param.name === 'page' || param.name === operation.paging.perPageParam)
  if (isPaging) return String(Math.min(Math.max(value, min), max))
  return value < min || value > max ? null : String(value)
}

function expectation(param: Param): string {
  if (param.allowed !== undefined) return `one of ${param.allowed.join(', ')}`
  if (param.type === 'days') return 'a number of days or max'
  if (param.type === 'epoch_s') return 'epoch seconds'
  if (param.type === 'boolean') return 'true or false'
  if (param.type === 'date') return 'a calendar date YYYY-MM-DD'
  if (param.type === 'csv') return `at most ${param.maxItems} values`
  return 'an integer'
}
