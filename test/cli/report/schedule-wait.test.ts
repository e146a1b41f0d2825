import { expect, test } from 'vitest'
import { longestGapMs } from '../../../cli/report/facts/schedule-wait.ts'
import type { ScheduleTimes } from '../../../config/schedule.ts'

const HOUR_MS = 3_600_000
const at = [{ hour: 6, minute: 30 }]
const twice = [...at, { hour: 18, minute: 0 }]
const times = (weekdays: number[], ofDay = at): ScheduleTimes => {
  return { kind: 'times', at: ofDay, weekdays }
}
const cron = (text: string): ScheduleTimes => ({ kind: 'cron', cron: text })

test.each<[string, ScheduleTimes, number]>([
  ['an interval', { kind: 'interval', everyMs: 4 * HOUR_MS, offsetMs: 0 }, 4],
  ['each day', times([]), 24],
  ['twice a day', times([], twice), 12.5],
  ['Sundays', times([0]), 7 * 24],
  ['Mondays and Thursdays', times([1, 4]), 4 * 24],
  ['working days, twice', times([1, 2, 3, 4, 5], twice), 60.5],
  ['cron each hour', cron('5 * * * *'), 1],
  ['cron each quarter of an hour', cron('*/15 * * * *'), 0.25],
  ['cron by day', cron('0 6-18/6 * * *'), 12],
  ['cron on Sundays', cron('0 6 * * 7'), 7 * 24],
  ['cron on working days', cron('0 6 ? * mon-fri'), 3 * 24],
  ['cron each month', cron('0 6 1 * *'), 31 * 24],
  ['cron by quarters', cron('0 6 1 */3 *'), 3 * 31 * 24],
  ['cron each year', cron('0 6 1 JAN *'), 12 * 31 * 24],
  ['cron in one month', cron('0 6 * 2 *'), 12 * 31 * 24],
  ['cron of other words', cron('0 6 L * *'), 31 * 24],
  ['cron of other words for days of the week', cron('0 6 * * 5L'), 31 * 24],
])('%s comes again after so long', (_what, when, hours) => {
  expect(longestGapMs(when) / HOUR_MS).toBe(hours)
})
