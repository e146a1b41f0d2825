import type { Covered } from '../plan/covered.ts'
import type { PlannedSlice } from '../plan/planned-slice.ts'
import type { Slice } from '../datasets/dataset.ts'
import type { StagedPage } from '../stage/page-stage.ts'
import type { PageStage } from '../stage/page-stage.ts'

export interface NewRun {
  runId: string
  /** plan/order-id.ts */
  orderId: string
  startedAtMs: number
  coinlakeVersion: string
}

export interface SliceFailure {
  ordinal: number
  /** Stable code of the error that ended it. */
  code: string
  reason: string
}

export interface LoadReport {
  loadId: number
  /** Slices that this load claimed; the others were claimed by an earlier load and changed nothing. */
  slices: number
  rowsInserted: number
  rowsReplaced: number
  rowsRevised: number
  rowsDuplicate: number
  rowsQuarantined: number
}

/** A physical request that brought no page: refused, failed, or thrown away. For _requests and the month's count. */
export interface LostRequest {
  requestId: string
  sliceId: string
  operation: string
  url: string
  status: number | null
  code: string
  requestedAtMs: number
  durationMs: number
}

/** Totals of one dataset in one run, for the report. */
export interface DatasetTotals {
  dataset: string
  planned: number
  loaded: number
  provisional: number
  empty: number
  failed: number
  missing: number
  rows: number
  calls: number
  outsideSlice: number
  duplicate: number
  quarantined: number
  unknownPaths: Record<string, number>
}

export interface FailedSlice extends Slice {
  sliceId: string
  code: string
  reason: string
}

/**
 * The one place of record: rows and ledger in one transaction. One writer; every method is safe to
 * repeat. @throws SinkError
 */
export interface Store {
  /** Intervals that need no call at `nowMs`. */
  covered(nowMs: number): Promise<Covered[]>
  /** The frozen choice of a selector (`top:100`), null when it was never made. */
  universe(selector: string): Promise<string[] | null>
  freezeUniverse(selector: string, coinIds: readonly string[], chosenAtMs: number): Promise<void>
  /** Writes the run and its slices as `planned`; an existing runId is left as it is. Returns how many. */
  writePlan(run: NewRun, slices: readonly Slice[]): Promise<number>
  /** Planned slices of a lane (ordinal % lanes = lane) after an ordinal, in order. */
  nextSlices(at: {
    runId: string
    lane: number
    lanes: number
    after: number
    limit: number
  }): Promise<PlannedSlice[]>
  /**
   * One transaction: claims the still planned slices among `ordinals`, moves their staged pages in,
   * writes the ledger. A slice whose pages are not whole in the stage is left planned and named.
   */
  load(
    request: { runId: string; ordinals: readonly number[]; nowMs: number },
    stage: PageStage,
  ): Promise<LoadReport & { notStaged: number[] }>
  failSlices(runId: string, failures: readonly SliceFailure[]): Promise<void>
  recordRequests(runId: string, requests: readonly LostRequest[]): Promise<void>
  /** Ends the run's ledger row and gives its totals. */
  finishRun(runId: string, verdict: string, finishedAtMs: number): Promise<void>
  totals(runId: string): Promise<DatasetTotals[]>
  failures(runId: string, limit: number): Promise<FailedSlice[]>
  /** Slices of the run that are still `planned`. */
  remaining(runId: string): Promise<number>
  /** Pages whose slice is loaded, so that the stage may let go of them. */
  close(): Promise<void>
}

export type { StagedPage }
