import { ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, ScheduleDescription } from '@temporalio/client'
import proto from '@temporalio/proto'
import { scheduleId } from '../../workflows/sync-messages.ts'
import { describe } from './apply-schedules.ts'

/** A schedule, and how late its windows may begin. */
export interface LateSchedule {
  warehouseId: string
  name: string
  catchUpMs: number
}

/** The server begins a due window within this time, so a younger window is not missed. */
const ON_TIME_MS = 90_000

/** The newest time of a schedule that has come due within the last `withinMs`; null = none. */
export async function newestDueMs(
  client: Client,
  id: string,
  withinMs: number,
  nowMs: number,
): Promise<number | null> {
  const answer = await client.workflowService.listScheduleMatchingTimes({
    namespace: client.options.namespace,
    scheduleId: id,
    startTime: timestamp(nowMs - withinMs),
    endTime: timestamp(nowMs),
  })
  const newest = answer.startTime.at(-1)
  return newest === undefined ? null : Number(newest.seconds) * 1000
}

/**
 * Begins the newest window that came due during a stop of the server or of all workers and was never begun. Its run also
 * fetches the slices of the windows before. A paused schedule misses no window.
 *
 * @returns the window's time, epoch ms; null = no window was missed.
 */
export async function beginMissedWindow(
  client: Client,
  { warehouseId, name, catchUpMs }: LateSchedule,
  nowMs: number,
): Promise<number | null> {
  const id = scheduleId(warehouseId, name)
  const found = await describe(client, id)
  if (found === null || found.state.paused) return null
  // While a window runs, the server itself handles the next one by `overlap`.
  if (found.info.runningActions.length > 0) return null
  const dueMs = await newestDueMs(client, id, catchUpMs, nowMs)
  if (dueMs === null || nowMs - dueMs < ON_TIME_MS || !isMissed(found, dueMs)) return null
  if (dueMs <= (await leftOutUntilMs(client, found))) return null
  const at = new Date(dueMs)
  await client.schedule
    .getHandle(id)
    .backfill({ start: at, end: at, overlap: ScheduleOverlapPolicy.BUFFER_ONE })
  return dueMs
}

/** Windows up to this time were left out on purpose, beside the last run (overlap `skip`); -Infinity = none. */
export async function leftOutUntilMs(client: Client, found: ScheduleDescription): Promise<number> {
  const last = found.info.recentActions.at(-1)?.action
  if (found.policies.overlap !== ScheduleOverlapPolicy.SKIP || last === undefined) return -Infinity
  const { workflowId, firstExecutionRunId } = last.workflow
  const run = client.workflow.getHandle(workflowId, firstExecutionRunId)
  const { closeTime } = await run.describe().catch(() => ({ closeTime: undefined }))
  return closeTime?.getTime() ?? -Infinity
}

/** Whether the server has not begun this window or a later one, and the schedule was applied before it. */
function isMissed({ info }: ScheduleDescription, dueMs: number): boolean {
  const appliedMs = (info.lastUpdatedAt ?? info.createdAt).getTime()
  const begunMs = info.recentActions.map(({ scheduledAt }) => scheduledAt.getTime())
  return dueMs > appliedMs && !begunMs.some((ms) => ms >= dueMs)
}

function timestamp(ms: number): proto.google.protobuf.Timestamp {
  const seconds = Math.floor(ms / 1000)
  return proto.google.protobuf.Timestamp.fromObject({ seconds })
}
