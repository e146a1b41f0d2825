import { type Client, type ScheduleDescription, ScheduleOverlapPolicy } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

/** The server begins a due window within this time; younger windows are not missed. */
const ON_TIME_MS = 90_000
/** The server lists at most this many due times at once, from the oldest on. */
const MOST_LISTED = 1_000

/** The newest time of a schedule that came due within the last `withinMs`; null = none. */
export async function newestDueMs(
  client: Client,
  id: string,
  withinMs: number,
  nowMs: number,
): Promise<number | null> {
  const answer = await client.workflowService.listScheduleMatchingTimes({
    namespace: client.options.namespace,
    scheduleId: id,
    startTime: msToTs(nowMs - withinMs),
    endTime: msToTs(nowMs),
  })
  const last = answer.startTime.at(-1)
  if (last === undefined) return null
  const lastMs = Number(last.seconds) * 1000
  if (answer.startTime.length < MOST_LISTED) return lastMs
  return (await newestDueMs(client, id, nowMs - lastMs, nowMs)) ?? lastMs
}

/**
 * Begins the newest window that came due while the server or all workers were down. Its run also fetches the slices of
 * earlier missed windows. A paused schedule misses no window.
 *
 * @param catchUpMs windows that came due longer ago are not begun
 * @returns the window's time, epoch ms; null = no window was missed.
 */
export async function beginMissedWindow(
  client: Client,
  found: ScheduleDescription,
  catchUpMs: number,
  nowMs: number,
): Promise<number | null> {
  const { scheduleId: id } = found
  if (found.state.paused) return null
  // While a window runs, the server handles the next window itself by the policy `overlap`.
  if (found.info.runningActions.length > 0) return null
  const dueMs = await newestDueMs(client, id, catchUpMs, nowMs)
  if (dueMs === null || nowMs - dueMs < ON_TIME_MS || !isMissed(found, dueMs)) return null
  if (dueMs <= (await skippedUntilMs(client, found))) return null
  // The server lists due times with their jitter, but `backfill` finds windows by their times without it.
  const start = new Date(dueMs - jitterMsOf(found))
  const end = new Date(dueMs + 1_000)
  await client.schedule
    .getHandle(id)
    .backfill({ start, end, overlap: ScheduleOverlapPolicy.BUFFER_ONE })
  return dueMs
}

/** The end of the last run, epoch ms. With overlap `skip` the server skips windows until then; -Infinity = skips none. */
export async function skippedUntilMs(client: Client, found: ScheduleDescription): Promise<number> {
  const last = found.info.recentActions.at(-1)?.action
  if (found.policies.overlap !== ScheduleOverlapPolicy.SKIP || last === undefined) return -Infinity
  const { workflowId, firstExecutionRunId } = last.workflow
  const run = client.workflow.getHandle(workflowId, firstExecutionRunId)
  const { closeTime } = await run.describe().catch(() => ({ closeTime: undefined }))
  return closeTime?.getTime() ?? -Infinity
}

/** The most by which the server begins a window of the schedule late. */
function jitterMsOf({ spec }: ScheduleDescription): number {
  return spec.jitter ?? 0
}

/** Whether the window is younger than the schedule, and the server has begun neither it nor a later one. */
function isMissed(found: ScheduleDescription, dueMs: number): boolean {
  const { info } = found
  const appliedMs = (info.lastUpdatedAt ?? info.createdAt).getTime()
  const begunMs = info.recentActions.map(({ scheduledAt }) => scheduledAt.getTime())
  return dueMs > appliedMs && !begunMs.some((ms) => ms >= dueMs - jitterMsOf(found))
}
