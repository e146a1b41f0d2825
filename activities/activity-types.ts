import type { PlannedSlice } from '../plan/planned-slice.ts'
import type { SliceFailure } from '../sinks/store-records.ts'
import type { PublishReport } from '../sinks/publication.ts'
import type { FatalCause, LostKeyFacts, RunReport, Verdict } from './run-report.ts'

export interface PlanRunInput {
  runId: string
  /** Hash of the order. Its file lies in the warehouse's state folder. */
  orderId: string
  /** The schedule and the time of the window; absent = a run by hand. */
  schedule?: string
  windowMs?: number
}

export interface OpenWindowInput {
  runId: string
  schedule: string
  /** The order that all its windows share. */
  templateId: string
  scheduledMs: number
  /** Time between the window's start by the server and its arrival at a worker. */
  waitedMs: number
}

export interface OpenWindowResult {
  orderId: string
  workflowsId: string
  /** The scheduled time; of a late window the newest due time. */
  windowMs: number
}

export interface PlanRunResult {
  /** Selectors (`top:100`) whose coins must be chosen before the plan can be made. */
  universes: string[]
  /** null while coins must be chosen. */
  plan: PlanResult | null
  first: NextSlicesResult
}

export interface PlanResult {
  slices: number
  /** Expected pages of the plan. An upper bound where a listing was never read before. */
  pages: number
}

export interface NextSlicesInput {
  runId: string
  /** Read the slices after this ordinal; -1 = from the start. */
  after: number
  limit: number
}

export interface NextSlicesResult {
  /** At most `limit` slices and 64,000 characters. */
  slices: PlannedSlice[]
  /** Whether these are the last slices of the plan. */
  isEnd: boolean
}

/** The progress of a slice that earlier batches did not finish. */
export interface BegunSlice {
  /** 2 = the first answer had a wrong granularity. */
  attempt: 1 | 2
  /** Pages staged before this time are fetched again; null = every staged page is used. */
  freshAfterMs: number | null
  listingStarts: number
  /** Failed tries of the next page. */
  tries: number
  /** Pages that are staged and counted. */
  pages: number
}

export interface BatchSlice extends PlannedSlice {
  begun?: BegunSlice
}

export interface FetchBatchInput {
  runId: string
  slices: BatchSlice[]
  mayUseReserve: boolean
}

export type SliceOutcome =
  | { ordinal: number; state: 'staged'; rows: number }
  | { ordinal: number; state: 'failed'; code: string; reason: string }
  /** The batch ended first. The slice's next request may leave at `notBeforeMs`; 0 = at once. */
  | { ordinal: number; state: 'left'; begun: BegunSlice; notBeforeMs: number }

export interface FetchBatchResult extends SourceDemands {
  outcomes: SliceOutcome[]
  /** Pages from the source or from the stage. `bytes` counts only answers of the source. */
  pages: number
  bytes: number
  /** Answers with status 429. */
  throttled: number
}

/** Calls of a fetch, and what the source demands after it. */
export interface SourceDemands {
  calls: number
  /** All keys of the process must wait until then, epoch ms; 0 = no wait. */
  waitUntilMs: number
  fatal: FatalCause | null
  /** Keys of the process without further calls in this run. */
  lostKeys: LostKeyFacts[]
}

export interface FetchPageInput extends Pick<BegunSlice, 'attempt' | 'freshAfterMs'> {
  slice: PlannedSlice
  step: number
  page: number
  /** The first page's observation time; null on page 1. */
  observedAtMs: number | null
  /** Time of the request for the page before, by the local clock; null on page 1. */
  previousAskedAtMs: number | null
}

/** The listing from which the coins of a selector (`top:100`) are chosen. */
export interface UniverseInput {
  runId: string
  selector: string
  mayUseReserve: boolean
  /** Failed tries of the next page in earlier batches. */
  tries: number
}

/** The progress of a selector's listing. */
export interface UniverseResult extends SourceDemands {
  isWhole: boolean
  tries: number
  /** The next request may leave at this time, epoch ms; 0 = at once. */
  notBeforeMs: number
}

/** The outcome of one page, without its rows. */
export type FetchPageResult =
  | {
      kind: 'page'
      itemCount: number
      rowCount: number
      /** Size of the answer, unpacked; 0 when the stage had it. */
      bytes: number
      observedAtMs: number
      requestedAtMs: number
      next: { step: number; page: number } | null
    }
  /** Status 429 is no failure: the request may be repeated at `throttledUntilMs`. */
  | { kind: 'throttled'; throttledUntilMs: number }
  /** The answer has a wrong granularity. The slice is tried once more if attempt 2 has other requests. */
  | { kind: 'wrong_granularity'; delivered: string; isLastWay: boolean }
  /** The page before is over 10 minutes old, so the listing must start again. */
  | { kind: 'listing_stale' }

export interface LoadSlicesInput {
  runId: string
  ordinals: number[]
}

export interface LoadSlicesResult {
  slices: number
  rows: number
  notStaged: number[]
}

/** A run without further fetches and loads. */
interface EndedRun {
  runId: string
  orderId: string
  startedAtMs: number
  fatal: FatalCause | null
  lostKeys: LostKeyFacts[]
}

export interface EndRunInput extends EndedRun {
  cancelled: boolean
  /** Whether the loaded rows may be published. */
  mayPublish: boolean
}

export interface ReportRunInput extends EndedRun {
  verdict: Verdict
  publications: PublishReport[]
}

/** The activities of the fetch queue. Every process of the warehouse polls it. */
export interface FetchActivities {
  fetchBatch(input: FetchBatchInput): Promise<FetchBatchResult>
  fetchUniverse(input: UniverseInput): Promise<UniverseResult>
}
/** The activities of the load queue. Only the process with the open store polls it. */
export interface StoreActivities {
  openWindow(input: OpenWindowInput): Promise<OpenWindowResult>
  planRun(input: PlanRunInput): Promise<PlanRunResult>
  freezeUniverse(input: { selector: string }): Promise<void>
  nextSlices(input: NextSlicesInput): Promise<NextSlicesResult>
  loadSlices(input: LoadSlicesInput): Promise<LoadSlicesResult>
  failSlices(input: { runId: string; failures: SliceFailure[] }): Promise<void>
  /** Publishes in the middle of a run. */
  publishRun(input: { runId: string }): Promise<PublishReport[]>
  endRun(input: EndRunInput): Promise<RunReport>
  reportRun(input: ReportRunInput): Promise<RunReport>
}
