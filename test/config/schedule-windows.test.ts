import { expect, test } from 'vitest'
import { type ScheduleTimes, scheduleWindows } from '../../config/schedule-windows.ts'

const HOUR_MS = 3_600_000
const DAY = 24
const at = [{ hour: 6, minute: 30 }]
const twice = [...at, { hour: 18, minute: 0 }]
const interval = (hours: number): ScheduleTimes => {
  return { kind: 'interval', everyMs: hours * HOUR_MS, offsetMs: 0 }
}
const times = (weekdays: number[], ofDay = at): ScheduleTimes => {
  return { kind: 'times', at: ofDay, weekdays }
}
const cron = (text: string): ScheduleTimes => ({ kind: 'cron', cron: text })

test.each<[string, ScheduleTimes, number, number]>([
  ['an interval', interval(4), 4, 6 * 31],
  ['an interval of a week', interval(7 * DAY), 7 * DAY, 5],
  ['each day', times([]), DAY, 31],
  ['twice a day', times([], twice), 12.5, 2 * 31],
  ['Sundays', times([0]), 7 * DAY, 5],
  ['Mondays and Thursdays', times([1, 4]), 4 * DAY, 9],
  ['working days, twice', times([1, 2, 3, 4, 5], twice), 60.5, 2 * 23],
  ['cron each minute', cron('* * * * *'), 1 / 60, 1440 * 31],
  ['cron each hour', cron('5 * * * *'), 1, DAY * 31],
  ['cron each quarter of an hour', cron('*/15 * * * *'), 0.25, 4 * DAY * 31],
  ['cron from a minute on', cron('50/5 6 * * *'), DAY - 1 / 12, 2 * 31],
  ['cron by day', cron('0 6-18/6 * * *'), 12, 3 * 31],
  ['cron on Sundays', cron('0 6 * * 7'), 7 * DAY, 5],
  ['cron on working days', cron('0 6 * * mon-fri'), 3 * DAY, 23],
  // The 31st is followed by the 1st, the 29th of a February too.
  ['cron each second day', cron('0 6 */2 * *'), 2 * DAY, 16],
  ['cron twice a month', cron('0 6 1,15 * *'), 17 * DAY, 2],
  ['cron each month', cron('0 6 1 * *'), 31 * DAY, 1],
  ['cron on the 31st', cron('0 6 31 * *'), 61 * DAY, 1],
  ['cron by quarters', cron('0 6 1 */3 *'), 92 * DAY, 1],
  ['cron each year', cron('0 6 1 JAN *'), 366 * DAY, 1],
  ['cron in one month', cron('0 6 * 2 *'), 338 * DAY, 29],
  ['cron in leap years', cron('0 6 29 2 *'), (4 * 365 + 1) * DAY, 1],
  // As the server has it: the first of a month that is a Monday.
  ['cron of a day that is a weekday', cron('0 6 1-7 * mon'), 35 * DAY, 1],
])('windows of %s', (_what, when, gapHours, perMonth) => {
  const { longestGapMs, mostPerMonth } = scheduleWindows(when)
  expect([longestGapMs / HOUR_MS, mostPerMonth]).toEqual([expect.closeTo(gapHours, 6), perMonth])
})

test.each<[string, ScheduleTimes, number[]]>([
  ['its offset', { kind: 'interval', everyMs: HOUR_MS, offsetMs: 60_000 }, [1 / 60]],
  ['its times of day in order', times([2], twice.toReversed()), [6.5, 18]],
  ['the times of a cron', cron('0,30 6,7 1 * *'), [6, 6.5, 7, 7.5]],
])('windows begin at %s', (_what, when, hours) => {
  expect(scheduleWindows(when).beginsMs.map((ms) => ms / HOUR_MS)).toEqual(
    hours.map((hour) => expect.closeTo(hour, 6)),
  )
})
