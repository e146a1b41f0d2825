import { DAY_MS } from '../../../api/granularity.ts'
import type { ScheduleConfig, ScheduleTimes } from '../../../config/schedule.ts'

const MINUTE_MS = 60_000
const MINUTES_OF_HOUR = 60
const HOURS_OF_DAY = 24
const DAYS_OF_WEEK = 7
const MONTHS_OF_YEAR = 12
const MINUTES_OF_DAY = MINUTES_OF_HOUR * HOURS_OF_DAY
const MINUTES_OF_WEEK = DAYS_OF_WEEK * MINUTES_OF_DAY
const LONGEST_MONTH_MS = 31 * DAY_MS
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/**
 * The longest time in ms between two windows of a schedule, by the clocks of its zone. Of cron that names
 * days of the month or months each month counts as 31 days, as does what is not understood.
 */
export function longestGapMs(times: ScheduleTimes): number {
  if (times.kind === 'interval') return times.everyMs
  const ofDay = minutesOfDay(times)
  if (times.kind === 'times') return gapOfWeekMs(times.weekdays, ofDay ?? [])
  const [, , day = '', month = '', weekday = ''] = fieldsOf(times.cron)
  const months = valuesOf(month, 1, MONTHS_OF_YEAR, MONTHS)
  if (months === null || months.length < MONTHS_OF_YEAR || !isAny(day)) {
    return longestGap(months ?? [1], MONTHS_OF_YEAR) * LONGEST_MONTH_MS
  }
  // 7 is Sunday as 0 is.
  const days = valuesOf(weekday, 0, DAYS_OF_WEEK, WEEKDAYS)?.map((one) => one % DAYS_OF_WEEK)
  if (days === undefined || ofDay === null) return LONGEST_MONTH_MS
  return gapOfWeekMs(days, ofDay)
}

/** How long after a full step of the data a window may begin, in ms: its offset or time of day, and chance. */
export function latenessMs({ times, jitterMs }: ScheduleConfig, stepMs: number): number {
  const begins =
    times.kind === 'interval'
      ? [times.offsetMs]
      : (minutesOfDay(times) ?? []).map((minute) => minute * MINUTE_MS)
  const aroundMs = Math.min(stepMs, longestGapMs(times))
  return Math.max(0, ...begins.map((ms) => ms % aroundMs)) + jitterMs
}

/** Minutes after midnight; null = a cron that is not understood. */
function minutesOfDay(times: Exclude<ScheduleTimes, { kind: 'interval' }>): number[] | null {
  if (times.kind === 'times') {
    return times.at.map(({ hour, minute }) => hour * MINUTES_OF_HOUR + minute)
  }
  const [minute = '', hour = ''] = fieldsOf(times.cron)
  const minutes = valuesOf(minute, 0, MINUTES_OF_HOUR - 1)
  const hours = valuesOf(hour, 0, HOURS_OF_DAY - 1)
  if (minutes === null || hours === null) return null
  return hours.flatMap((one) => minutes.map((two) => one * MINUTES_OF_HOUR + two))
}

function fieldsOf(cron: string): string[] {
  return cron.trim().toUpperCase().split(/\s+/)
}

/** @param weekdays none = all of them; `ofDay`: minutes after midnight */
function gapOfWeekMs(weekdays: readonly number[], ofDay: readonly number[]): number {
  const days = weekdays.length > 0 ? weekdays : [...WEEKDAYS.keys()]
  const minutes = days.flatMap((day) => ofDay.map((minute) => day * MINUTES_OF_DAY + minute))
  return longestGap(minutes, MINUTES_OF_WEEK) * MINUTE_MS
}

/** The longest way from one value to the next on a circle of `around`. */
function longestGap(values: readonly number[], around: number): number {
  const sorted = [...new Set(values)].toSorted((a, b) => a - b)
  let longest = 0
  let before = sorted.at(-1)! - around
  for (const value of sorted) {
    longest = Math.max(longest, value - before)
    before = value
  }
  return longest
}

function isAny(field: string): boolean {
  return field === '*' || field === '?'
}

/** What a field of cron means: `*`, `5`, `1,31`, `MON-FRI`, `*\/15`, `10-40/10`; null = not understood. */
function valuesOf(
  field: string,
  least: number,
  most: number,
  names: readonly string[] = [],
): number[] | null {
  const numberOf = (text: string): number =>
    names.includes(text) ? names.indexOf(text) + least : /^\d+$/.test(text) ? Number(text) : NaN
  const values: number[] = []
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/')
    const [first = '', last] = range.split('-')
    const from = isAny(range) ? least : numberOf(first)
    const isOne = !isAny(range) && last === undefined && !part.includes('/')
    const to = isOne ? from : last === undefined ? most : numberOf(last)
    const by = Number(step)
    if (!(from >= least && to <= most && from <= to && by >= 1)) return null
    for (let value = from; value <= to; value += by) values.push(value)
  }
  return values
}
