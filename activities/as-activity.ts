import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { crashPoint, isCrashOrdered } from '../config/crash-point.ts'
import { toApplicationFailure } from './activity-failure.ts'

const HEARTBEATS_PER_TIMEOUT = 4
/** Heartbeats bring the cancellation, so that a stopped run sends its last request within a second. */
export const HEARTBEAT_EVERY_MS = 400
const POLL_MS = 2

/**
 * Makes an activity of a function. The activity heartbeats while it runs. Its signal fires when it is cancelled. Its
 * errors leave as ApplicationFailure.
 */
export function asActivity<Input, Output>(
  run: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current()
    const { heartbeatTimeoutMs = Infinity } = context.info
    const everyMs = Math.min(HEARTBEAT_EVERY_MS, heartbeatTimeoutMs / HEARTBEATS_PER_TIMEOUT)
    const timer = setInterval(() => context.heartbeat(), everyMs)
    try {
      const output = await run(input, context.cancellationSignal)
      crashPoint('ack.before')
      if (isCrashOrdered('ack.after')) {
        void untilAcknowledged(context).then(() => crashPoint('ack.after'))
      }
      return output
    } catch (error) {
      throw toApplicationFailure(error)
    } finally {
      clearInterval(timer)
    }
  }
}

/** Resolves when the server knows that the activity is done. */
async function untilAcknowledged({ client, info }: Context): Promise<void> {
  const { workflowId, runId } = info.workflowExecution ?? { workflowId: '', runId: '' }
  const handle = client.workflow.getHandle(workflowId, runId)
  for (;;) {
    const { raw } = await handle.describe()
    const pending = raw.pendingActivities ?? []
    if (!pending.some(({ activityId }) => activityId === info.activityId)) return
    await sleep(POLL_MS)
  }
}
