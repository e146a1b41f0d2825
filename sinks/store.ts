import type { Covered } from '../plan/covered.ts'
import type { Interval } from '../plan/intervals.ts'
import type { Unreachable } from '../plan/plan-slices.ts'
import type { UnknownEntity } from '../plan/unknown-ids.ts'
import type { PlannedSlice } from '../plan/planned-slice.ts'
import type { Row, Slice } from '../datasets/dataset.ts'
import type { PageStage } from '../stage/page-stage.ts'
import type { SqlParams } from './duckdb-store/session.ts'

export interface NewRun {
  runId: string
  /** plan/order-id.ts */
  orderId: string
  startedAtMs: number
  coinlakeVersion: string
  /** Why it fetches what is not missing; absent or null: it does not. */
  purpose?: 'refetch' | 'restore' | null
  /** The schedule whose window it is, and the window's time; absent = none. */
  schedule?: string
  windowMs?: number
  /** Selectors whose coins it asks for (`top:100`); absent: none. */
  selectors?: readonly string[]
}

/** A run that has not been ended: it is going on, or was broken off. */
export interface UnfinishedRun {
  runId: string
  /** null = begun by hand. */
  schedule: string | null
}

export interface SliceFailure {
  ordinal: number
  /** Stable code of the error that ended it. */
  code: string
  reason: string
}

/** What a load did. Rows of a table after = rows before + rowsInserted - rowsReplaced. */
export interface LoadReport {
  /** 0 when nothing was claimed. */
  loadId: number
  /** Slices that this load claimed; the others were claimed by an earlier load and changed nothing. */
  slices: number
  rowsInserted: number
  /** Rows removed to make place for newer ones: provisional, or closed and changed since. */
  rowsReplaced: number
  /** Closed rows whose answer differs from what was loaded; both answers are in _revisions. */
  rowsRevised: number
  /** Rows that were there already with these values, or that repeat a key within the load. */
  rowsDuplicate: number
  rowsQuarantined: number
}

/** A physical request that brought no page of a slice: refused, failed, thrown away, or made to choose coins. For _requests and the month's count. */
export interface LostRequest {
  requestId: string
  sliceId: string
  operation: string
  url: string
  status: number | null
  code: string
  requestedAtMs: number
  durationMs: number
  /** Physical requests it cost, repetitions after connection faults included. */
  calls: number
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
  /** Items that came on more than one page of their listing: it moved, and others may be missing. */
  moved: number
  /** Items that the source told of and its listings did not have. */
  unlisted: number
  unknownPaths: Record<string, number>
}

export interface FailedSlice extends Slice {
  sliceId: string
  code: string
  reason: string
}

/** An id that was asked for by name and is not in the answers of a dataset. */
export interface AbsentEntity {
  dataset: string
  entity: string
  /** The first answer without it since it was last in one. */
  goneSinceMs: number
  /** Whether it ever was in an answer; else it is more likely mistyped than gone. */
  wasListed: boolean
  /** An earlier run has told of it. */
  isTold: boolean
  /** Rows in quarantine that say so, of the run. */
  rows: number
  /** Slices of the run that failed because the source does not know it any more. */
  slices: number
}

/** How long a listing was when it was last loaded: what the next one will probably cost. */
export interface KnownListing {
  dataset: string
  entity: string
  vsCurrency: string
  /** Index of the request step, from 0. */
  step: number
  operation: string
  items: number
  pages: number
}

/** The whole ledger in a few numbers. */
export interface StoreSummary {
  lastRun: {
    runId: string
    orderId: string
    /** null while it is open. */
    verdict: string | null
    startedAtMs: number
    finishedAtMs: number | null
  } | null
  /** Slices of all runs by state. */
  slicesByState: Record<string, number>
  loads: number
  /** Rows in all tables of the datasets, as the loads count them. */
  rows: number
  calls: number
  quarantined: number
  revisions: number
}

/**
 * The one place of record: rows and ledger in one transaction. One writer; every method is safe to
 * repeat. @throws SinkError
 */
export interface Store {
  /** Intervals that need no call at `nowMs`, and apart those that are there and due to be asked for again. */
  covered(nowMs: number): Promise<Covered[]>
  /** The next times after `nowMs` from which asking again brings or verifies more of something, ascending. */
  rechecksAfter(nowMs: number): Promise<number[]>
  /** What these runs have planned and not fetched yet: nobody else need fetch it. */
  plannedBy(runIds: readonly string[]): Promise<Covered[]>
  unfinishedRuns(): Promise<UnfinishedRun[]>
  /** The frozen choice of a selector (`top:100`), null when it was never made. */
  universe(selector: string): Promise<string[] | null>
  freezeUniverse(selector: string, coinIds: readonly string[], chosenAtMs: number): Promise<void>
  /**
   * Writes the run and its slices as `planned`; an existing runId is left as it is. Returns how many. A
   * generation that is given counts only for a restore: whose pages are which is known there.
   */
  writePlan(run: NewRun, slices: readonly (Slice & { generation?: number })[]): Promise<number>
  /** Planned slices of a run after an ordinal, in order. */
  nextSlices(at: { runId: string; after: number; limit: number }): Promise<PlannedSlice[]>
  /**
   * One transaction: claims the still planned slices among `ordinals`, moves their staged pages in,
   * writes the ledger. A slice whose pages are not whole in the stage is left planned and named.
   */
  load(
    request: { runId: string; ordinals: readonly number[]; nowMs: number },
    stage: PageStage,
  ): Promise<LoadReport & { notStaged: number[] }>
  failSlices(runId: string, failures: readonly SliceFailure[]): Promise<void>
  /** Adds slices to the plan of a run as failed, none of which it asked for; those that it has are left as they are. */
  addFailed(
    runId: string,
    slices: readonly Slice[],
    failure: Omit<SliceFailure, 'ordinal'>,
  ): Promise<void>
  recordRequests(runId: string, requests: readonly LostRequest[]): Promise<void>
  /** Ends the run's ledger row and gives its totals. */
  finishRun(runId: string, verdict: string, finishedAtMs: number): Promise<void>
  totals(runId: string): Promise<DatasetTotals[]>
  failures(runId: string, limit: number): Promise<FailedSlice[]>
  /** Ids that the run asked for by name and was not answered. */
  absences(runId: string): Promise<AbsentEntity[]>
  /** Ids that the source does not know, as a run that has ended has told, or this one (null: no other) has met. */
  unknownEntities(runId: string | null): Promise<UnknownEntity[]>
  /** Replaces what is noted as out of reach in the stretches that are wanted of a series; the rest stays noted. */
  noteUnreachable(
    wantedOf: (series: Slice) => readonly Interval[],
    holes: readonly Unreachable[],
  ): Promise<void>
  /** Slices of the run that are still `planned`. */
  remaining(runId: string): Promise<number>
  /** Calls recorded since a moment, those that brought no page included. */
  callsSince(sinceMs: number): Promise<number>
  /** The newest loaded listing of each (dataset, entity, currency), by request step. */
  knownListings(): Promise<KnownListing[]>
  summary(): Promise<StoreSummary>
  /** Rows of a SELECT over tables and ledger. Times come as text: ask for `epoch_ms(...)`. */
  query(sql: string, params?: SqlParams): Promise<Row[]>
  /** Ends the store; the file is whole and free for another process afterwards. */
  close(): Promise<void>
}
