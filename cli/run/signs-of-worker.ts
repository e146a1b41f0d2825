import proto from '@temporalio/proto'

type Description =
  proto.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse.$Properties
type Timestamp = proto.google.protobuf.Timestamp.$Properties

/** The work on a run as the server shows it, which needs no answer of a worker. */
export interface WorkerSigns {
  /** Whether a task of the run is queued or in hand. A run that waits, or is paused, has none. */
  isOwed: boolean
  /** When a worker last took an open task or gave a heartbeat for it, by the server's clock, epoch ms; 0 = never. */
  heardAtMs: number
}

/** A living worker is heard of more often. The own clock may differ from the server's: a second look then decides. */
const FRESH_MS = 1_000

export function signsOfWorker(run: Description): WorkerSigns {
  const { pendingWorkflowTask: task, pendingActivities } = run
  const activities = pendingActivities ?? []
  const isQueued = activities.some(({ nextAttemptScheduleTime: retryAt }) => retryAt == null)
  const heard = activities.flatMap(({ lastStartedTime, lastHeartbeatTime }) => [
    msOf(lastStartedTime),
    msOf(lastHeartbeatTime),
  ])
  return {
    isOwed: task != null || isQueued,
    heardAtMs: Math.max(0, msOf(task?.startedTime), ...heard),
  }
}

/** `idle`: the run waits or is paused, so a worker owes no sign, and may be gone. */
export type LookSign = 'heard' | 'idle' | 'silent'

/** The sign of a run's worker: `heard` if newer than at the look before, or of this moment. */
export function signOf(now: WorkerSigns, before: WorkerSigns, nowMs: number): LookSign {
  if (!now.isOwed) return 'idle'
  const isFresh = Math.abs(nowMs - now.heardAtMs) < FRESH_MS
  return isFresh || now.heardAtMs > before.heardAtMs ? 'heard' : 'silent'
}

function msOf(time: Timestamp | null | undefined): number {
  return time == null ? 0 : Number(time.seconds) * 1_000 + (time.nanos ?? 0) / 1e6
}
