import { ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, ScheduleDescription } from '@temporalio/client'
import proto from '@temporalio/proto'
import { scheduleId } from '../../workflows/sync-messages.ts'
import { describe } from './apply-schedules.ts'

/** Which schedule, and how late its windows may begin. */
export interface LateSchedule {
  warehouseId: string
  name: string
  catchUpMs: number
}

/** The server starts what comes due within a moment: until then a window is not missed. */
const ON_TIME_MS = 90_000

/** The newest time of a schedule that has come due; null = none within `withinMs`. */
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
 * Begins the newest window that came due and was never begun, after a stop of the server or of all
 * workers: one run, which takes all that was missed before it. A schedule that is paused misses none.
 *
 * @returns its time, epoch ms; null when nothing was missed.
 */
export async function beginMissedWindow(
  client: Client,
  { warehouseId, name, catchUpMs }: LateSchedule,
  nowMs: number,
): Promise<number | null> {
  const id = scheduleId(warehouseId, name)
  const found = await describe(client, id)
  if (found === null || found.state.paused) return null
  // The server handles a window that comes due while one runs: the window waits, or is skipped, as `overlap` says.
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

/** Until when windows were left out on purpose, by `skip` and beside the last one; -Infinity = never. */
export async function leftOutUntilMs(client: Client, found: ScheduleDescription): Promise<number> {
  const last = found.info.recentActions.at(-1)?.action
  if (found.policies.overlap !== ScheduleOverlapPolicy.SKIP || last === undefined) return -Infinity
  const { workflowId, firstExecutionRunId } = last.workflow
  const run = client.workflow.getHandle(workflowId, firstExecutionRunId)
  const { closeTime } = await run.describe().catch(() => ({ closeTime: undefined }))
  return closeTime?.getTime() ?? -Infinity
}

/** Begun is what the server has started; what came due before the schedule was applied is none of it. */
function isMissed({ info }: ScheduleDescription, dueMs: number): boolean {
  const appliedMs = (info.lastUpdatedAt ?? info.createdAt).getTime()
  const begunMs = info.recentActions.map(({ scheduledAt }) => scheduledAt.getTime())
  return dueMs > appliedMs && !begunMs.some((ms) => ms >= dueMs)
}

function timestamp(ms: number): proto.google.protobuf.Timestamp {
  const seconds = Math.floor(ms / 1000)
  return proto.google.protobuf.Timestamp.fromObject({ seconds })
}
