import type { PlannedSlice } from '../plan/planned-slice.ts'
import type { SliceFailure } from '../sinks/store.ts'
import type { PublishReport } from '../sinks/publication.ts'
import type { FatalCause, LostKeyFacts, RunReport, Verdict } from './run-report.ts'

export interface PlanRunInput {
  runId: string
  orderId: string
  /** The schedule whose window it is, and the window's time; absent = none. */
  schedule?: string
  windowMs?: number
}

/** A due window of a schedule. */
export interface OpenWindowInput {
  schedule: string
  /** The order that all its windows share. */
  templateId: string
  /** The scheduled time. */
  windowMs: number
  /** How long the window waited for a worker after the server had begun it. */
  waitedMs: number
}

export interface OpenWindowResult {
  orderId: string
  workflowsId: string
  /** A later window that replaces this one; null = none. */
  supersededByMs: number | null
}

export interface PlanRunResult {
  /** Coin universes that must be chosen before the plan can be made, as selectors: `top:100`. */
  universes: string[]
  /** null while coins must be chosen. */
  plan: PlanResult | null
  /** The first slices of the plan. */
  first: NextSlicesResult
}

export interface PlanResult {
  slices: number
  /** Expected pages of the plan; an upper bound where a listing was never read. */
  pages: number
}

export interface NextSlicesInput {
  runId: string
  /** Slices behind this place of the plan; -1 = from its start. */
  after: number
  limit: number
}

export interface NextSlicesResult {
  /** At most `limit` slices, fewer when they are long: an answer stays at a few kB. */
  slices: PlannedSlice[]
  /** Nothing follows these. */
  isEnd: boolean
}

/** The place of a slice that earlier batches could not bring whole. */
export interface BegunSlice {
  /** 2 = the first request came with a wrong granularity. */
  attempt: 1 | 2
  /** Pages staged before this moment are fetched again; null = any staged page answers. */
  freshAfterMs: number | null
  listingStarts: number
  /** Failed tries of the next page. */
  tries: number
  /** Pages that are staged and counted. */
  pages: number
}

/** A slice to fetch, given whole, so that a process which fetches needs no ledger. */
export interface BatchSlice extends PlannedSlice {
  /** Absent: no batch has begun it. */
  begun?: BegunSlice
}

/** The slices that one activity fetches, page by page. */
export interface FetchBatchInput {
  runId: string
  slices: BatchSlice[]
  /** Whether the batch may spend the monthly reserve. */
  mayUseReserve: boolean
}

/** The end of one slice in a batch. */
export type SliceOutcome =
  | { ordinal: number; state: 'staged'; rows: number }
  | { ordinal: number; state: 'failed'; code: string; reason: string }
  /** The batch ended before the slice was complete. The next request may leave at `notBeforeMs`; 0 = at once. */
  | { ordinal: number; state: 'left'; begun: BegunSlice; notBeforeMs: number }

/** The work of a batch, and what the source demands from now on. */
export interface FetchBatchResult extends FetchOutcome {
  outcomes: SliceOutcome[]
  /** Pages from the source or from the stage; `bytes` counts answers of the source only. */
  pages: number
  bytes: number
  /** Answers with status 429. */
  throttled: number
}

/** Demands of the source that a run must obey after a fetch. */
export interface FetchOutcome {
  calls: number
  /** All keys of the process must wait until then, epoch ms; 0 = no wait. */
  waitUntilMs: number
  /** The fault that ends the run; null = none. */
  fatal: FatalCause | null
  /** Keys that take no more calls of the run. */
  lostKeys: LostKeyFacts[]
}

/** One page to fetch. */
export interface FetchPageInput {
  slice: PlannedSlice
  step: number
  page: number
  attempt: 1 | 2
  /** Set from page 2 on: the first page's time. */
  observedAtMs: number | null
  /** Set from page 2 on: when the page before was asked for, by the local clock. */
  previousAskedAtMs: number | null
  /** Pages staged before this moment are fetched again; null = any staged page answers. */
  freshAfterMs: number | null
}

/** The listing that a selector (`top:100`) is chosen from. */
export interface UniverseInput {
  runId: string
  selector: string
  mayUseReserve: boolean
  /** Failed tries of the next page in earlier batches. */
  tries: number
}

/** How far the listing of a selector has come. */
export interface UniverseResult extends FetchOutcome {
  isWhole: boolean
  tries: number
  /** The next request may leave at this time, epoch ms; 0 = at once. */
  notBeforeMs: number
}

/** The outcome of one page, without its rows. */
export type FetchPageResult =
  | {
      kind: 'page'
      calls: number
      itemCount: number
      rowCount: number
      /** Size of the answer, unpacked; 0 when the stage had it. */
      bytes: number
      observedAtMs: number
      /** Local clock when the request left. */
      requestedAtMs: number
      next: { step: number; page: number } | null
    }
  /** Status 429: the request can be repeated at this time. Not a failure. */
  | { kind: 'throttled'; throttledUntilMs: number; calls: number }
  /** The answer has another granularity than the slice needs: the slice is cut again once. */
  | { kind: 'wrong_granularity'; delivered: string; calls: number }
  /** The page before this one is more than 10 minutes old: start the listing again. */
  | { kind: 'listing_stale'; calls: number }

export interface LoadSlicesInput {
  runId: string
  ordinals: number[]
}

export interface LoadSlicesResult {
  slices: number
  rows: number
  notStaged: number[]
}

/** A run whose work is over. */
interface EndedRun {
  runId: string
  orderId: string
  startedAtMs: number
  fatal: FatalCause | null
  lostKeys: LostKeyFacts[]
}

export interface EndRunInput extends EndedRun {
  cancelled: boolean
  /** Whether the loaded rows are published. */
  mayPublish: boolean
}

export interface ReportRunInput extends EndedRun {
  verdict: Verdict
  publications: PublishReport[]
}

/** The activities of a run, by queue: fetch (any process of the warehouse), load (the one that holds the store). */
export interface FetchActivities {
  fetchBatch(input: FetchBatchInput): Promise<FetchBatchResult>
  fetchUniverse(input: UniverseInput): Promise<UniverseResult>
}
export interface LoadActivities {
  openWindow(input: OpenWindowInput): Promise<OpenWindowResult>
  planRun(input: PlanRunInput): Promise<PlanRunResult>
  freezeUniverse(input: { selector: string }): Promise<void>
  nextSlices(input: NextSlicesInput): Promise<NextSlicesResult>
  loadSlices(input: LoadSlicesInput): Promise<LoadSlicesResult>
  failSlices(input: { runId: string; failures: SliceFailure[] }): Promise<void>
  /** While the run goes on. */
  publishRun(input: { runId: string }): Promise<PublishReport[]>
  /** Verifies, publishes and reports. */
  endRun(input: EndRunInput): Promise<RunReport>
  /** Where `endRun` failed for good. */
  reportRun(input: ReportRunInput): Promise<RunReport>
}
