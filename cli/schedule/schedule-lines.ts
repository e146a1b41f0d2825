import { alignColumns } from '../render/align-columns.ts'
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
  const isDifferent = rows.some(({ state, when }) => state === 'not applied' || when === null)
  return isDifferent ? [...lines, 'Run `coinlake schedule apply` to make the server so.'] : lines
}

/** 2026-01-15T12:05:00.000Z as 2026-01-15 12:05Z. */
function minutes(iso: string | null): string {
  return iso === null ? '-' : `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`
}
