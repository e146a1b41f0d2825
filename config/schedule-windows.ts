import { DAY_MS, MINUTE_MS } from './values/duration.ts'
import { Cron } from 'croner'

/** The times at which a schedule's windows come due. */
export type ScheduleTimes =
  | { kind: 'interval'; everyMs: number; offsetMs: number }
  /** `weekdays` 0 = Sunday; empty = every day. */
  | { kind: 'times'; at: readonly { hour: number; minute: number }[]; weekdays: readonly number[] }
  | { kind: 'cron'; cron: string }

/** Facts about the windows of a schedule, by the clock of its zone. */
export interface ScheduleWindows {
  /** The longest time from one window to the next. */
  longestGapMs: number
  /** The most windows in a calendar month; for an interval in 31 days. */
  mostPerMonth: number
  /** The times of day of the windows, in ms after midnight, ascending; for an interval its offset. */
  beginsMs: readonly number[]
}

/** croner finds times after this one. The year 2024 is a leap year, so the 29th of February is found too. */
const BEFORE_MS = Date.UTC(2024, 0, 1) - 1_000
/** A year and a month, so that each month is walked together with its neighbours. */
const WALKED_MS = 396 * DAY_MS

/**
 * Walks the windows of thirteen months, and one day with windows more. Each day with windows has the same times, so the
 * walk looks up only the first window of a day.
 */
export function scheduleWindows(times: ScheduleTimes): ScheduleWindows {
  if (times.kind === 'interval') {
    const { everyMs, offsetMs } = times
    const mostPerMonth = Math.ceil((31 * DAY_MS) / everyMs)
    return { longestGapMs: everyMs, mostPerMonth, beginsMs: [offsetMs] }
  }
  const crons = cronsOf(times).map(cronOf)
  const beginsMs = [...new Set(crons.flatMap(beginsOf))].toSorted((a, b) => a - b)
  const days = daysOf(crons[0]!)
  const betweenDaysMs = longestStep(days) - beginsMs.at(-1)! + beginsMs[0]!
  return {
    longestGapMs: Math.max(longestStep(beginsMs), betweenDaysMs),
    mostPerMonth: mostInMonth(days) * beginsMs.length,
    beginsMs,
  }
}

/**
 * A cron of five fields, as the Temporal server reads it: a day must fit day of month and weekday.
 *
 * @throws TypeError or RangeError when the text is no cron
 */
export function cronOf(text: string): Cron {
  const mode = '5-part'
  return new Cron(text, { paused: true, mode, sloppyRanges: true, domAndDow: true, utcOffset: 0 })
}

/** The crons of a schedule: one for each time of day, all on the same days. */
function cronsOf(times: Exclude<ScheduleTimes, { kind: 'interval' }>): string[] {
  if (times.kind === 'cron') return [times.cron]
  const weekdays = times.weekdays.length > 0 ? times.weekdays.join(',') : '*'
  return times.at.map(({ hour, minute }) => `${minute} ${hour} * * ${weekdays}`)
}

/** Midnight of each day with a window, in ms, up to the first day after the walk. */
function daysOf(cron: Cron): number[] {
  const days: number[] = []
  let run = cron.nextRun(new Date(BEFORE_MS))
  while (run !== null) {
    const day = midnightOf(run)
    days.push(day)
    if (day - days[0]! > WALKED_MS) break
    run = cron.nextRun(new Date(day + DAY_MS - 1_000))
  }
  return days
}

/** Each window of the first day with windows, in ms after midnight. */
function beginsOf(cron: Cron): number[] {
  const begins: number[] = []
  let run = cron.nextRun(new Date(BEFORE_MS))
  const midnight = run === null ? 0 : midnightOf(run)
  while (run !== null && midnightOf(run) === midnight) {
    begins.push(run.getTime() - midnight)
    run = cron.nextRun(new Date(run.getTime() + MINUTE_MS - 1_000))
  }
  return begins
}

function midnightOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS) * DAY_MS
}

function longestStep(sorted: readonly number[]): number {
  return sorted.reduce((longest, at, index) => Math.max(longest, at - (sorted[index - 1] ?? at)), 0)
}

/** The number of days in the calendar month that has the most of them. */
function mostInMonth(days: readonly number[]): number {
  const months = Map.groupBy(days, (day) => new Date(day).toISOString().slice(0, '2024-01'.length))
  return Math.max(...[...months.values()].map((inMonth) => inMonth.length))
}
