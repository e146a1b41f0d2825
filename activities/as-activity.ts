import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { crashPoint, isCrashAwaited } from '../config/crash-point.ts'
import { toApplicationFailure } from './activity-failure.ts'

/** Heartbeats in the time after which a silent worker is lost: three late timers in a row kill nobody. */
const HEARTBEATS = 4
/** Where an activity was begun without that time: tests. */
const HEARTBEAT_EVERY_MS = 1500
const LOOK_EVERY_MS = 2

/**
 * Wraps a function as an activity: it heartbeats while it runs (liveness only: truth is in the
 * ledger), is told of cancellation by a signal, and its errors leave as ApplicationFailure.
 *
 * @param mostEveryMs how long two heartbeats, and so the word that it is cancelled, may lie apart. Default: by
 *   the time after which its worker counts as lost.
 */
export function asActivity<Input, Output>(
  run: (input: Input, signal: AbortSignal) => Promise<Output>,
  mostEveryMs = Infinity,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current()
    const everyMs =
      (context.info.heartbeatTimeoutMs ?? HEARTBEAT_EVERY_MS * HEARTBEATS) / HEARTBEATS
    const timer = setInterval(() => context.heartbeat(), Math.min(everyMs, mostEveryMs))
    try {
      const output = await run(input, context.cancellationSignal)
      crashPoint('ack.before')
      if (isCrashAwaited('ack.after')) {
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

/** Ends when the server has heard that the activity is done: from then on it is nobody's to repeat. */
async function untilAcknowledged({ client, info }: Context): Promise<void> {
  const { workflowId, runId } = info.workflowExecution ?? { workflowId: '', runId: '' }
  const handle = client.workflow.getHandle(workflowId, runId)
  for (;;) {
    const { raw } = await handle.describe()
    const pending = raw.pendingActivities ?? []
    if (!pending.some(({ activityId }) => activityId === info.activityId)) return
    await sleep(LOOK_EVERY_MS)
  }
}
