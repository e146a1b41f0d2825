import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { FetchActivities, StoreActivities } from '../activities/activity-types.ts'
import type { FatalCause } from '../activities/run-report.ts'
import type { RunQueues } from './messages.ts'
import type { RunRank } from './run-kind.ts'

/** Part of a load's heartbeat timeout that a batch has. Loads may wait for the disk. */
const FETCH_SILENCE_SHARE = 0.6

/**
 * Proxies of the fetch activities. An activity retries its pages itself; Temporal's attempts are for lost workers. A
 * cancelled fetch still returns its result.
 */
export function fetchActivities(
  queues: RunQueues,
  { priorityKey }: Pick<RunRank, 'priorityKey'>,
): FetchActivities {
  return proxyActivities<FetchActivities>({
    taskQueue: queues.fetch,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: workflowInfo().taskTimeoutMs * FETCH_SILENCE_SHARE,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', maximumAttempts: 3 },
    priority: { priorityKey },
  })
}

/** Proxies of the activities that use the store. The process with the open store runs them one by one. */
export function storeActivities(queues: Pick<RunQueues, 'load'>): StoreActivities {
  return proxyActivities<StoreActivities>({
    taskQueue: queues.load,
    startToCloseTimeout: '2 hours',
    heartbeatTimeout: workflowInfo().taskTimeoutMs,
    retry: {
      initialInterval: '500 milliseconds',
      backoffCoefficient: 2,
      maximumInterval: '10 seconds',
      maximumAttempts: 20,
    },
  })
}

/** Hint for a lost worker or a timeout, which bring none. */
const LOST_HINT =
  'Run the same command again: it plans from the ledger and fetches only what is missing.'

/** Code, text and hint of a failed activity. */
export function failureOf(error: unknown): FatalCause {
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof ApplicationFailure) {
    const facts = cause.details?.[0] as Partial<FatalCause> | undefined
    return {
      code: cause.type ?? 'UNEXPECTED',
      reason: cause.message,
      hint: facts?.hint ?? LOST_HINT,
      exitCode: facts?.exitCode ?? 1,
      ...(facts?.untilMs === undefined ? {} : { untilMs: facts.untilMs }),
    }
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  return { code: 'ACTIVITY_LOST', reason, hint: LOST_HINT, exitCode: 1 }
}

/** Equals EXIT.sink of config/coinlake-error.ts: workflows import no code of other rooms. */
export const SINK_EXIT = 5
