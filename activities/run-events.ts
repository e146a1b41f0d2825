import { CancelledFailure, Context } from '@temporalio/activity'
import type { PublishReport } from '../sinks/publication.ts'
import { failureFactsOf } from './activity-failure.ts'
import type { RunReport } from './run-report.ts'

/** An event of a run, for its log, its metrics and its alerts. */
export type RunEvent =
  | PageEvent
  | { kind: 'planned'; runId: string; schedule: string; slices: number }
  | {
      kind: 'loaded'
      runId: string
      slices: number
      rows: number
      sliceIds: readonly string[]
      durationMs: number
    }
  | { kind: 'slice_failed'; runId: string; sliceId: string; code: string; reason: string }
  | { kind: 'published'; runId: string; publications: readonly PublishReport[]; durationMs: number }
  /** The run has its report. `schedule` is '' for a run by hand. */
  | { kind: 'ended'; runId: string; schedule: string; report: RunReport }
  /** The run ends without a report: its window, its plan or its report failed for good. */
  | {
      kind: 'broken'
      runId: string
      schedule: string
      orderId: string
      code: string
      reason: string
      hint: string
    }

/** One try to fetch a page. */
export interface PageEvent {
  kind: 'page'
  runId: string
  dataset: string
  sliceId: string
  step: number
  page: number
  /** `page`, `throttled`, `wrong_granularity`, `listing_stale`, or the code of the failure. */
  outcome: string
  /** Requests sent for the page, even if it failed; 0 = the stage had it. */
  calls: number
  /** Parameters that the source refused. Only the event of the page whose request showed it has them. */
  leftOut?: readonly string[] | undefined
  rows: number
  bytes: number
  durationMs: number
}

/** Receives the events in order. When it throws, the page or the activity of the event fails. */
export type RunObserver = (event: RunEvent) => void | Promise<void>

/**
 * Runs the work of an activity. When it fails for good, `observe` gets the event `broken`, because the run then ends
 * without a report.
 */
export async function reportIfBroken<T>(
  observe: RunObserver,
  run: { runId: string; orderId: string; schedule?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CancelledFailure) throw error
    const { attempt, retryPolicy } = Context.current().info
    const { code, reason, hint, isRetryable } = failureFactsOf(error)
    if (isRetryable && attempt !== retryPolicy?.maximumAttempts) throw error
    const { runId, orderId, schedule = ownSchedule() } = run
    await observe({ kind: 'broken', runId, schedule, orderId, code, reason, hint })
    throw error
  }
}

/** The schedule of the run whose activity this is; '' for a run by hand. */
export function ownSchedule(): string {
  return scheduleOf(Context.current().info.workflowExecution?.workflowId ?? '')
}

/** The schedule in the workflow id `export/<warehouse>/<schedule>`; '' for a run by hand. */
export function scheduleOf(workflowId: string): string {
  return workflowId.split('/').slice(2).join('/')
}
