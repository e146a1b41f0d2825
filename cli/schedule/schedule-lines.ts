import { alignColumns } from '../render/align-columns.ts'
import { utcMinute } from '../render/utc-minute.ts'
import { leftOverLines } from './left-over.ts'
import type { ScheduleRow } from './schedule-rows.ts'

/** The schedules as a table, with what to do where there is something to do. */
export function scheduleLines(rows: readonly ScheduleRow[]): string[] {
  if (rows.length === 0) return ['no schedule: add `schedules:` to coinlake.yaml']
  const lines = alignColumns(
    ['name', 'when', 'state', 'next', 'last', 'outcome', 'missed'],
    rows.map(({ name, when, state, note, next, last, outcome, missed }) => [
      name,
      when ?? 'not in the configuration',
      note === '' ? state : `${state} (${note})`,
      minutes(next),
      minutes(last),
      outcome ?? '-',
      String(missed),
    ]),
  )
  const different = leftOverLines(rows)
  if (different.length === 0) return lines
  return [...lines, ...different, 'Run `coinlake schedule apply` to make the server so.']
}

function minutes(iso: string | null): string {
  return iso === null ? '-' : utcMinute(iso)
}
