import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { FetchActivities, LoadActivities } from '../activities/activity-types.ts'
import type { Fatal, RunQueues } from './messages.ts'
import { rankOf } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

/** A fetch heartbeats from a free loop, a load between its statements: of a fetch less silence says the same. */
const FETCH_SILENCE_SHARE = 0.6

/**
 * Fetches: one page an activity. The client's own deadline is shorter than startToClose; a killed
 * worker is noticed by the missing heartbeat. Attempts are for real faults: 429 is an answer.
 *
 * @param options `movesOn`: a page that nobody takes fails, since another queue may do it.
 */
export function fetchActivities(
  taskQueue: string,
  kind: RunKind,
  { movesOn = false }: { movesOn?: boolean } = {},
): FetchActivities {
  const { priorityKey, mayUseReserve } = rankOf(kind)
  const fetching = proxyActivities<FetchActivities>({
    taskQueue,
    ...(movesOn ? { scheduleToStartTimeout: '1 minute' } : {}),
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: workflowInfo().taskTimeoutMs * FETCH_SILENCE_SHARE,
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 2,
      maximumInterval: '30 seconds',
      maximumAttempts: 6,
    },
    priority: { priorityKey },
  })
  return {
    fetchPage: (input) => fetching.fetchPage({ ...input, mayUseReserve }),
    fetchUniverse: (input) => fetching.fetchUniverse({ ...input, mayUseReserve }),
  }
}

/** Whatever touches the store: one slot, in the process that holds the file open. */
export function loadActivities(queues: RunQueues): LoadActivities {
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

/** The stable code, text and hint of a failed activity or lane, whatever it is wrapped in. */
export function failureOf(error: unknown): Fatal {
  const isWrapped = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure
  const cause = isWrapped ? error.cause : error
  if (cause instanceof ApplicationFailure) {
    const facts = cause.details?.[0] as Partial<Fatal> | undefined
    return {
      code: cause.type ?? 'UNEXPECTED',
      reason: cause.message,
      hint: facts?.hint ?? LOST_HINT,
      exitCode: facts?.exitCode ?? 1,
      ...(facts?.untilMs === undefined ? {} : { untilMs: facts.untilMs }),
    }
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  const code = error instanceof ChildWorkflowFailure ? 'LANE_LOST' : 'ACTIVITY_LOST'
  return { code, reason, hint: LOST_HINT, exitCode: 1 }
}

/** What is wrong with every slice alike: the key, its month, the address. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'SOURCE_AUTH',
  'MONTH_SPENT',
  'SOURCE_UNREACHABLE',
  'SOURCE_NOT_A_SERVICE',
  'SOURCE_DOWN',
])
/** config/coinlake-error.ts EXIT.sink; workflows hold no code of other rooms. */
export const SINK_EXIT = 5

/** The failure if it ends the run: a refused key or one used up, a wrong address, a sink that cannot be written. Else null. */
export function fatalOf(failure: Fatal): Fatal | null {
  return FATAL_CODES.has(failure.code) || failure.exitCode === SINK_EXIT ? failure : null
}
