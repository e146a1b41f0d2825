import { Context } from '@temporalio/activity'
import { toApplicationFailure } from './activity-failure.ts'

/** Well under the shortest heartbeatTimeout (6 s), so that one late timer kills nobody. */
const HEARTBEAT_EVERY_MS = 1500

/**
 * Wraps a function as an activity: it heartbeats while it runs (liveness only: truth is in the
 * ledger), is told of cancellation by a signal, and its errors leave as ApplicationFailure.
 */
export function asActivity<Input, Output>(
  run: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current()
    const timer = setInterval(() => context.heartbeat(), HEARTBEAT_EVERY_MS)
    try {
      return await run(input, context.cancellationSignal)
    } catch (error) {
      throw toApplicationFailure(error)
    } finally {
      clearInterval(timer)
    }
  }
}
