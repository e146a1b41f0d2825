import type { CalendarSpec, ScheduleSpec } from '@temporalio/client'
import { DAYS_OF_WEEK } from '@temporalio/client'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'

/**
 * A schedule's times in Temporal's form. Intervals count from 1970 UTC. Times of day and cron follow the clocks of the
 * time zone, also on days of 23 or 25 hours.
 */
export function scheduleSpec({ times, timeZone, jitterMs }: ScheduleConfig): ScheduleSpec {
  const jitter = jitterMs > 0 ? { jitter: jitterMs } : {}
  if (times.kind === 'interval') {
    return { intervals: [{ every: times.everyMs, offset: times.offsetMs }], ...jitter }
  }
  const zoned = { timezone: timeZone, ...jitter }
  if (times.kind === 'cron') return { cronExpressions: [times.cron], ...zoned }
  return { calendars: times.at.map((at) => calendar(at, times.weekdays)), ...zoned }
}

function calendar(at: { hour: number; minute: number }, weekdays: readonly number[]): CalendarSpec {
  // Here and in Temporal 0 is Sunday.
  const days = weekdays.map((day) => DAYS_OF_WEEK[day]!)
  return { ...at, ...(days.length > 0 ? { dayOfWeek: days } : {}) }
}
