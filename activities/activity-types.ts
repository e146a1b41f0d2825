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

/** A window of a schedule that is about to be run. */
export interface OpenWindowInput {
  schedule: string
  /** The order that all its windows share. */
  templateId: string
  /** The scheduled time. */
  windowMs: number
  /** How long it has waited for a worker since the server began it. */
  waitedMs: number
}

export interface OpenWindowResult {
  orderId: string
  workflowsId: string
  /** A later window that takes its place; null = none does. */
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
  /** Pages that they will take, at the most where a listing was never read. */
  pages: number
}

export interface NextSlicesInput {
  runId: string
  /** Those behind this place of the plan; -1 = from its start. */
  after: number
  limit: number
}

export interface NextSlicesResult {
  /** `limit` of them, or fewer when they are long: an answer stays at a few kB. */
  slices: PlannedSlice[]
  /** Nothing follows these. */
  isEnd: boolean
}

/** The place of a slice that earlier batches could not bring whole. */
export interface BegunSlice {
  /** The granularity was wrong once: 2. */
  attempt: 1 | 2
  /** Pages staged before this moment are fetched again; null = any staged page answers. */
  freshAfterMs: number | null
  listingStarts: number
  /** Faults that its next page has met. */
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
  /** Whether it may spend what backfills leave alone of a month. */
  mayUseReserve: boolean
}

/** The end of one slice in a batch. */
export type SliceOutcome =
  | { ordinal: number; state: 'staged'; rows: number }
  | { ordinal: number; state: 'failed'; code: string; reason: string }
  /** Not whole yet: the batch is over. Not to be asked for before `notBeforeMs`; 0 = at any time. */
  | { ordinal: number; state: 'left'; begun: BegunSlice; notBeforeMs: number }

/** The work of a batch, and the words of the source meanwhile. */
export interface FetchBatchResult extends FetchNews {
  outcomes: SliceOutcome[]
  /** Pages that came, from the source or from the stage; and bytes of answers of the source. */
  pages: number
  bytes: number
  /** Answers that said wait (429). */
  throttled: number
}

/** News of the source that a run must heed after a fetch. */
export interface FetchNews {
  calls: number
  /** Every key of the process was told to wait until then, epoch ms; 0 = none was. */
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
  /** Faults that its next page has met in earlier tries. */
  tries: number
}

/** How far the listing of a selector has come. */
export interface UniverseResult extends FetchNews {
  isWhole: boolean
  tries: number
  /** Not to be asked for before, epoch ms; 0 = at any time. */
  notBeforeMs: number
}

/** How one page came out: never rows. */
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
  /** The source said wait (429): ask again at this time; not a failure. */
  | { kind: 'throttled'; throttledUntilMs: number; calls: number }
  /** The answer had another granularity than the slice needs: cut again once. */
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
  /** Whether readers are shown what is loaded. */
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
