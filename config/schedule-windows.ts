import { Cron } from 'croner'

/** When a schedule's windows come due. */
export type ScheduleTimes =
  | { kind: 'interval'; everyMs: number; offsetMs: number }
  /** `weekdays` 0 = Sunday; empty = every day. */
  | { kind: 'times'; at: readonly { hour: number; minute: number }[]; weekdays: readonly number[] }
  | { kind: 'cron'; cron: string }

/** How the windows of a schedule lie, by the clocks of its zone. */
export interface ScheduleWindows {
  /** The longest time from one window to the next. */
  longestGapMs: number
  /** Windows in a calendar month, at the most; of an interval in 31 days. */
  mostPerMonth: number
  /** When windows begin after midnight; of an interval its offset. In ms, ascending. */
  beginsMs: readonly number[]
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** croner answers with what comes after it. A leap year follows: it has the 29 February too. */
const BEFORE_MS = Date.UTC(2024, 0, 1) - 1_000
/** A year and a month more: each month meets its neighbours. */
const WALKED_MS = 396 * DAY_MS
/** Where windows are rarer than weekly, the walk covers this many days, as their gaps change from year to year. */
const WALKED_DAYS = 60
/** Weekdays and days of the month come round in 28 years. */
const ROUND_MS = 28 * 366 * DAY_MS

/**
 * Walks what comes due in thirteen months, and longer where that is rare. Of a day only its first window is asked for, since all days that have
 * windows have the same: each minute of a year would be half a million questions.
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
 * A cron of five fields as the Temporal server reads it: a day must fit the day of the month and the day of the week.
 *
 * @throws TypeError or RangeError when it is none
 */
export function cronOf(text: string): Cron {
  const mode = '5-part'
  return new Cron(text, { paused: true, mode, sloppyRanges: true, domAndDow: true, utcOffset: 0 })
}

/** Times of day as cron: one each, all on the same days. */
function cronsOf(times: Exclude<ScheduleTimes, { kind: 'interval' }>): string[] {
  if (times.kind === 'cron') return [times.cron]
  const weekdays = times.weekdays.length > 0 ? times.weekdays.join(',') : '*'
  return times.at.map(({ hour, minute }) => `${minute} ${hour} * * ${weekdays}`)
}

/** Midnight of each day with a window, in ms; the last one lies behind what is walked. */
function daysOf(cron: Cron): number[] {
  const days: number[] = []
  let run = cron.nextRun(new Date(BEFORE_MS))
  while (run !== null) {
    const day = midnightOf(run)
    days.push(day)
    const walkedMs = day - days[0]!
    if (walkedMs > WALKED_MS && (days.length > WALKED_DAYS || walkedMs > ROUND_MS)) break
    run = cron.nextRun(new Date(day + DAY_MS - 1_000))
  }
  return days
}

/** ms after midnight of each window of the first day that has any. */
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

/** The days of the calendar month that has the most of them. */
function mostInMonth(days: readonly number[]): number {
  const months = Map.groupBy(days, (day) => new Date(day).toISOString().slice(0, '2024-01'.length))
  return Math.max(...[...months.values()].map((inMonth) => inMonth.length))
}
