import type { PlannedSlice } from '../plan/planned-slice.ts'
import type { UnreachableHistory } from '../plan/unreachable-history.ts'
import type { AbsentEntity, DatasetTotals, FailedSlice, SliceFailure } from '../sinks/store.ts'
import type { PublishReport } from '../sinks/publication.ts'

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

export type Verdict = 'complete' | 'partial' | 'failed' | 'cancelled'

/** The run report: printed by `backfill --json` and kept in the warehouse's state folder. */
export interface RunReport {
  runId: string
  orderId: string
  verdict: Verdict
  startedAt: string
  finishedAt: string
  calls: number
  /** Of these, calls that chose the coins of selectors; absent when there were none. */
  choiceCalls?: number
  rows: number
  slices: {
    planned: number
    loaded: number
    provisional: number
    empty: number
    failed: number
    missing: number
    /** Of ids that are gone, as an earlier run has told: not among the failed. Absent when there are none. */
    gone?: number
  }
  datasets: ReportedTotals[]
  /** At most 20, with long texts cut; `slices.failed` counts all. */
  failures: FailedSlice[]
  /** Asked for, and no later run could get it: named beside the verdict, which does not count it. */
  unreachable: UnreachableHistory
  publications: PublishReport[]
  /** What ended the run early, null when nothing did. */
  fatal: FatalCause | null
  /** Keys that took no more calls of the run, while others did; absent when there was none. */
  lostKeys?: LostKeyFacts[]
  /** What waits for the next month of the key; absent when nothing does. */
  waiting?: WaitingSlices
  /** Ids asked for by name that the source does not list; absent when there are none. */
  absent?: AbsentEntities
  /** Selectors that found fewer coins than they ask for; absent when there was none. */
  shortChoices?: ShortChoice[]
  coinlakeVersion: string
}

/** Totals of a dataset; slices of ids that are gone, where there are any, stand apart from those that failed. */
export interface ReportedTotals extends DatasetTotals {
  gone?: number
}

/** Ids that are not in the answers, told once as a hole and from then on as a fact. */
export interface AbsentEntities {
  count: number
  /** Of those with rows in quarantine, the ones that no run has told of before: they make the run partial. */
  newCount: number
  /** Their rows in quarantine, by dataset. */
  rows: Record<string, number>
  /** At most 20, new ones first, with long ids cut. */
  entities: AbsentEntity[]
}

/** `top:500` where the source listed 300 coins when they were chosen. */
export interface ShortChoice {
  selector: string
  wanted: number
  chosen: number
}

/** Slices that were not asked for because the key's month is used up; they stay planned. */
export interface WaitingSlices {
  /** When the month begins anew: the same command goes on then. */
  untilAt: string
  slices: number
  /** By dataset, and the first of each as `bitcoin usd 1d [2024-01-01, 2024-04-01)`. */
  datasets: { dataset: string; slices: number; first: string }[]
}

/** A key that was refused, or used up for the month. */
export interface LostKeyFacts extends FatalCause {
  /** Names the key without telling it. */
  keyId: string
}

/** Why a whole run had to stop: a refused key (exit 4), a month used up (3), a sink that cannot be written (5). */
export interface FatalCause {
  code: string
  reason: string
  /** What to do next. */
  hint: string
  exitCode: number
  /** When the same can be asked again with success, epoch ms; absent = nobody knows. */
  untilMs?: number
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
