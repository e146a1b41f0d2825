import { formatDuration } from '../../config/values/duration.ts'
import { WEEKDAYS } from '../../config/settings/schedule-kinds.ts'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'

/** When a schedule's windows come due, in the words of the configuration. */
export function whenText({ times, timeZone }: Pick<ScheduleConfig, 'times' | 'timeZone'>): string {
  if (times.kind === 'interval') {
    const every = `every ${formatDuration(times.everyMs)}`
    return times.offsetMs === 0 ? every : `${every} + ${formatDuration(times.offsetMs)}`
  }
  if (times.kind === 'cron') return `cron ${times.cron} ${timeZone}`
  const at = times.at.map(({ hour, minute }) => `${two(hour)}:${two(minute)}`).join(', ')
  const days = times.weekdays.map((day) => WEEKDAYS[day]).join(', ')
  return `at ${at} ${timeZone}${days === '' ? '' : ` on ${days}`}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
