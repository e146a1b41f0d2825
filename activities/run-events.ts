import type { PublishReport } from '../sinks/publication.ts'
import type { RunReport } from './run-report.ts'

/** What happens in a run, for its log, its metrics and its alerts. */
export type RunEvent =
  | PageEvent
  | { kind: 'planned'; runId: string; schedule: string; slices: number }
  | {
      kind: 'loaded'
      runId: string
      /** Slices and rows that the load brought in. */
      slices: number
      rows: number
      sliceIds: readonly string[]
      durationMs: number
    }
  | { kind: 'slice_failed'; runId: string; sliceId: string; code: string; reason: string }
  | { kind: 'published'; runId: string; publications: readonly PublishReport[]; durationMs: number }
  /** The run has its report. `schedule` is '' for a run by hand. */
  | { kind: 'ended'; runId: string; schedule: string; report: RunReport }
  /** The run ends without a report: an activity of its frame failed for good. */
  | {
      kind: 'broken'
      runId: string
      schedule: string
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
  /** `page`, `throttled`, `wrong_granularity`, `listing_stale`, or the code of what failed. */
  outcome: string
  /** Physical requests that it is known to have cost, also where it failed; 0 = the stage had it. */
  calls: number
  rows: number
  bytes: number
  durationMs: number
}

/** Told of each event, in order. An error of an observer fails the page or the activity that it was told of. */
export type RunObserver = (event: RunEvent) => void | Promise<void>
