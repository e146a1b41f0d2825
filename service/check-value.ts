import { MAX_ITEMS, MAX_VALUE_CHARS, type Param } from '../api/operations/describe-operation.ts'
import type { DateFormat } from '../config/profiles.ts'
import { parseUtcMs } from '../config/values/utc-date.ts'

/** The rules for values in which profiles differ. */
export interface ValueRules {
  /**
   * Integers out of bounds become the nearest bound, and empty items of a list are left out. Currency codes may be in
   * upper case, days may have fractions.
   */
  isLenient: boolean
  dateFormats: readonly DateFormat[]
  /** Whether times may also be dates. */
  rangeTakesDates: boolean
}

export type CheckedValue = { ok: true; value: string } | { ok: false; expected: string }

/** Digits only: parseInt would accept `12x`. */
const INTEGER_PATTERN = /^-?\d{1,15}$/
const DAYS_PATTERN = /^\d{1,6}$/
/** Some clients ask for 6 minutes as 0.004167 days. */
const FRACTION_OF_DAYS_PATTERN = /^\d{1,6}\.\d{1,9}$/
/** Codes of currencies: `usd`, `sats`. */
const CURRENCY_PATTERN = /^[a-z0-9]{1,20}$/
const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_FIRST_PATTERN = /^(\d{2})-(\d{2})-(\d{4})$/
const DATE_TIME_PATTERN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z?)?$/

/** No id, name or code has control characters, and they break logs. */
const CONTROL_PATTERN = /\p{Cc}/u

/** Checks a value, which is not empty, by the description of its parameter. */
export function checkValue(param: Param, given: string, rules: ValueRules): CheckedValue {
  if (CONTROL_PATTERN.test(given)) return { ok: false, expected: 'no control characters' }
  switch (param.type) {
    case 'integer':
      return checkInteger(param, given, rules)
    case 'epoch_s':
      return checkTime(param, given, rules)
    case 'days':
      return checkDays(param, given, rules)
    case 'boolean':
      return given === 'true' || given === 'false' ? good(given) : bad('true or false')
    case 'csv':
      return checkList(param, given, rules)
    case 'date':
      return checkDate(given, rules)
    default:
      return checkText(param, given, rules)
  }
}

function good(value: string): CheckedValue {
  return { ok: true, value }
}

function bad(expected: string): CheckedValue {
  return { ok: false, expected }
}

function checkInteger(param: Param, given: string, rules: ValueRules): CheckedValue {
  const min = param.min ?? -Number.MAX_SAFE_INTEGER
  const max = param.max ?? Number.MAX_SAFE_INTEGER
  if (!INTEGER_PATTERN.test(given)) return bad(`an integer from ${min} to ${max}`)
  const value = Number(given)
  // Every integer parameter is a page or a page's size.
  if (rules.isLenient) return good(String(Math.min(Math.max(value, min), max)))
  return value < min || value > max ? bad(`an integer from ${min} to ${max}`) : good(String(value))
}

function checkTime(param: Param, given: string, rules: ValueRules): CheckedValue {
  if (rules.rangeTakesDates && DATE_TIME_PATTERN.test(given)) {
    const ms = parseUtcMs(given)
    if (ms !== null) return good(String(ms / 1_000))
  }
  const [min, max] = [param.min ?? 0, param.max ?? Number.MAX_SAFE_INTEGER]
  const isTime = INTEGER_PATTERN.test(given) && Number(given) >= min && Number(given) <= max
  return isTime ? good(String(Number(given))) : bad(`epoch seconds from ${min} to ${max}`)
}

function checkDays(param: Param, given: string, rules: ValueRules): CheckedValue {
  if (param.allowed !== undefined) {
    return param.allowed.includes(given) ? good(given) : bad(oneOf(param.allowed))
  }
  const max = param.max ?? Infinity
  const isNumber =
    DAYS_PATTERN.test(given) || (rules.isLenient && FRACTION_OF_DAYS_PATTERN.test(given))
  const isDays = isNumber && Number(given) > 0 && Number(given) <= max
  return given === 'max' || isDays ? good(given) : bad(`days from 1 to ${max}, or max`)
}

function checkList(param: Param, given: string, rules: ValueRules): CheckedValue {
  const items = given.split(',')
  const maxItems = param.maxItems ?? MAX_ITEMS
  if (items.length > maxItems) return bad(`at most ${maxItems} values and not ${items.length}`)
  const values: string[] = []
  for (const item of items) {
    if (item === '') {
      if (rules.isLenient) continue
      return bad('values between the commas')
    }
    const checked = checkText(param, item, rules)
    if (!checked.ok) return checked
    values.push(checked.value)
  }
  return values.length === 0 ? bad('at least one value') : good(values.join(','))
}

function checkText(param: Param, given: string, rules: ValueRules): CheckedValue {
  if (given.length > MAX_VALUE_CHARS) return bad(`at most ${MAX_VALUE_CHARS} characters`)
  if (param.allowed !== undefined && !param.allowed.includes(given)) {
    return bad(oneOf(param.allowed))
  }
  if (param.isCurrency !== true) return good(given)
  const code = rules.isLenient ? given.toLowerCase() : given
  return CURRENCY_PATTERN.test(code)
    ? good(code)
    : bad('a currency code in lower case, such as usd')
}

/** Accepts a real day of the calendar. Sources get YYYY-MM-DD. */
function checkDate(given: string, { dateFormats }: ValueRules): CheckedValue {
  const expected = bad(
    `a calendar date ${dateFormats.map((form) => form.toUpperCase()).join(' or ')}`,
  )
  const parts = dateFormats.includes('yyyy-mm-dd') ? DAY_PATTERN.exec(given) : null
  const turned = dateFormats.includes('dd-mm-yyyy') ? DAY_FIRST_PATTERN.exec(given) : null
  const [year, month, day] = parts?.slice(1) ?? turned?.slice(1).toReversed() ?? []
  if (year === undefined) return expected
  const date = `${year}-${month}-${day}`
  const ms = Date.parse(`${date}T00:00:00Z`)
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
  return isReal ? good(date) : expected
}

function oneOf(allowed: readonly string[]): string {
  return `one of ${allowed.join(', ')}`
}
