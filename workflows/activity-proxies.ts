import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type {
  FetchActivities,
  FetchBatchInput,
  LoadActivities,
  UniverseInput,
} from '../activities/activity-types.ts'
import type { FatalCause } from '../activities/run-report.ts'
import type { RunQueues } from './messages.ts'
import { rankOf } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

/** A fetch heartbeats from a free loop, a load between its statements: of a fetch less silence says the same. */
const FETCH_SILENCE_SHARE = 0.6

/** The fetches of a run, which know what the run may spend. */
export interface RunFetches {
  fetchBatch(
    input: Omit<FetchBatchInput, 'mayUseReserve'>,
  ): ReturnType<FetchActivities['fetchBatch']>
  fetchUniverse(
    input: Omit<UniverseInput, 'mayUseReserve'>,
  ): ReturnType<FetchActivities['fetchUniverse']>
}

/**
 * Fetches: some slices an activity, which tries its pages again by itself. Temporal's own attempts are for
 * workers that were lost. One that is cancelled still says what it has brought.
 */
export function fetchActivities(queues: RunQueues, kind: RunKind): RunFetches {
  const { priorityKey, mayUseReserve } = rankOf(kind)
  const fetching = proxyActivities<FetchActivities>({
    taskQueue: queues.fetch,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: workflowInfo().taskTimeoutMs * FETCH_SILENCE_SHARE,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', maximumAttempts: 3 },
    priority: { priorityKey },
  })
  return {
    fetchBatch: (input) => fetching.fetchBatch({ ...input, mayUseReserve }),
    fetchUniverse: (input) => fetching.fetchUniverse({ ...input, mayUseReserve }),
  }
}

/** Whatever touches the store: one slot, in the process that holds the file open. */
export function loadActivities(queues: Pick<RunQueues, 'load'>): LoadActivities {
  return proxyActivities<LoadActivities>({
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

/** Where the error itself knows nothing better: a lost worker, a timeout. */
const LOST_HINT =
  'Run the same command again: it plans from the ledger and fetches only what is missing.'

/** The stable code, text and hint of a failed activity, whatever it is wrapped in. */
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

/** config/coinlake-error.ts EXIT.sink; workflows hold no code of other rooms. */
export const SINK_EXIT = 5
