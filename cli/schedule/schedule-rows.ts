import type { Client, ScheduleDescription, WorkflowHandle } from '@temporalio/client'
import type { FailureDetails } from '../../activities/activity-failure.ts'
import type { Config } from '../../config/config.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import {
  findSchedule,
  scheduleInputOf,
  scheduleNames,
} from '../../engine/schedules/apply-schedules.ts'
import { scheduleId } from '../../workflows/sync-messages.ts'
import type { SyncResult } from '../../workflows/sync-messages.ts'
import { ownFailure } from '../run/follow-run.ts'
import { leftOver } from './left-over.ts'
import { formatDuration } from '../../config/values/duration.ts'
import { WEEKDAYS } from '../../config/settings/schedule-kinds.ts'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import { alignColumns } from '../render/align-columns.ts'
import { utcMinute } from '../render/utc-text.ts'

/** A schedule of the configuration and of the server. A window is one of its due times, with the run for it. Times are ISO 8601 UTC. */
export interface ScheduleRow {
  name: string
  /** Its times in the configuration; null = it is not configured. */
  when: string | null
  state: 'on' | 'paused' | 'not applied'
  /** The reason of a pause; '' = none. */
  note: string
  next: string | null
  /** The due time of the newest window that has begun. */
  last: string | null
  /** The outcome of that window: a verdict, `running`, or a status of Temporal. */
  outcome: string | null
  /** The failure of that window; null = none. */
  failure: { code: string; reason: string; hint: string } | null
  /** Windows that never began, because they were too late or another was running. */
  missed: number
  appliedFrom: string | null
  /** Datasets that its windows fetch and the configuration lacks, because it was not applied. */
  leftOver: string[]
}

export async function scheduleRows(client: Client, config: Config): Promise<ScheduleRow[]> {
  const warehouse = warehouseIdOf(config)
  const names = new Set([
    ...Object.keys(config.schedules),
    ...(await scheduleNames(client, warehouse)),
  ])
  return Promise.all(
    [...names].toSorted().map(async (name) => {
      const schedule = config.schedules[name]
      const when = schedule === undefined ? null : whenText(schedule)
      const found = await findSchedule(client, scheduleId(warehouse, name))
      if (found === null) return { ...NOT_APPLIED, name, when }
      const { state, info } = found
      const input = scheduleInputOf(found)
      return {
        name,
        when,
        state: state.paused ? 'paused' : 'on',
        note: state.paused ? (state.note ?? '') : '',
        next: state.paused ? null : (info.nextActionTimes[0]?.toISOString() ?? null),
        ...(await newestWindow(client, found)),
        missed: info.numActionsMissedCatchupWindow + info.numActionsSkippedOverlap,
        appliedFrom: input?.appliedFrom ?? null,
        leftOver: input === null ? [] : await leftOver(config, name, input.templateId),
      }
    }),
  )
}

const NO_WINDOW = { last: null, outcome: null, failure: null }

const NOT_APPLIED: Omit<ScheduleRow, 'name' | 'when'> = {
  state: 'not applied',
  note: '',
  next: null,
  ...NO_WINDOW,
  missed: 0,
  appliedFrom: null,
  leftOver: [],
}

async function newestWindow(
  client: Client,
  { info }: ScheduleDescription,
): Promise<Pick<ScheduleRow, 'last' | 'outcome' | 'failure'>> {
  const newest = info.recentActions.at(-1)
  if (newest === undefined) return NO_WINDOW
  const begun = { ...NO_WINDOW, last: newest.scheduledAt.toISOString() }
  const { workflowId, firstExecutionRunId } = newest.action.workflow
  const handle = client.workflow.getHandle(workflowId, firstExecutionRunId)
  try {
    const { status } = await handle.describe()
    const outcome = status.name.toLowerCase()
    if (status.name === 'FAILED') return { ...begun, outcome, failure: await failureOf(handle) }
    if (status.name !== 'COMPLETED') return { ...begun, outcome }
    const { verdict } = (await handle.result()) as SyncResult
    return { ...begun, outcome: verdict }
  } catch {
    // The server keeps histories only for a time.
    return begun
  }
}

async function failureOf(handle: WorkflowHandle): Promise<ScheduleRow['failure']> {
  const cause = ownFailure(await handle.result().catch((error: unknown) => error))
  if (cause === undefined) return null
  const { hint } = (cause.details?.[0] ?? {}) as Partial<FailureDetails>
  return { code: cause.type ?? 'UNEXPECTED', reason: cause.message, hint: hint ?? '' }
}

/** In the words of the configuration. */
function whenText({ times, timeZone }: Pick<ScheduleConfig, 'times' | 'timeZone'>): string {
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

export function scheduleLines(rows: readonly ScheduleRow[]): string[] {
  if (rows.length === 0) return ['no schedule: add `schedules:` to the configuration file']
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
  for (const { name, failure } of rows) {
    if (failure === null) continue
    lines.push(`${name} failed: ${failure.code}: ${failure.reason}`)
    if (failure.hint !== '') lines.push(`  ${failure.hint}`)
  }
  const different = differenceLines(rows)
  if (different.length === 0) return lines
  return [
    ...lines,
    ...different,
    '`coinlake schedule apply` makes the schedules of the server equal to the configuration',
  ]
}

function minutes(iso: string | null): string {
  return iso === null ? '-' : utcMinute(iso)
}

/** A line for each schedule whose windows differ from the configuration. */
export function differenceLines(rows: readonly ScheduleRow[]): string[] {
  return rows.flatMap(({ name, state, when, leftOver: datasets }) => {
    if (when === null) return [`${name} is still on the server, and not in the configuration`]
    if (state === 'not applied') return [`${name} is not on the server: nothing begins it`]
    if (datasets.length === 0) return []
    return [`${name} still fetches ${datasets.join(', ')}, which its configuration does not have`]
  })
}
