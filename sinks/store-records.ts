import type { Slice } from '../datasets/dataset.ts'

export interface NewRun {
  runId: string
  /** See plan/order-id.ts. */
  orderId: string
  startedAtMs: number
  coinlakeVersion: string
  /** Purpose of a run that does not fetch what is missing; absent or null: a usual run. */
  purpose?: 'refetch' | 'restore' | null
  /** The schedule of the run, and the time of its window; absent: begun by hand. */
  schedule?: string
  windowMs?: number
  /** Wanted slices that other open runs have planned; absent = none. */
  leftToOthers?: number
}

/** A run without an end: it still runs, or was killed. */
export interface UnfinishedRun {
  runId: string
  orderId: string
  /** null: begun by hand. */
  schedule: string | null
}

export interface SliceFailure {
  ordinal: number
  code: string
  reason: string
}

/** The result of a load. Rows of a table after = rows before + rowsInserted - rowsReplaced. */
export interface LoadReport {
  /** 0: nothing was claimed. */
  loadId: number
  /** Slices that this load claimed. An earlier load had claimed the others. */
  slices: number
  rowsInserted: number
  /** Rows removed for an answer fetched later: provisional, final with other values, or damaged. */
  rowsReplaced: number
  /** Final rows for which this load has newer values (also in rowsReplaced) or older ones. _revisions has both. */
  rowsRevised: number
  /** Rows that were there with these values, or that repeat a key within the load. */
  rowsDuplicate: number
  rowsQuarantined: number
}

/** A request that no load will record: refused, failed or discarded, or sent as a probe or to choose coins. */
export interface LostRequest {
  requestId: string
  /** The run that asked; absent = the run that records it, as in notes of an older coinlake. */
  runId?: string
  sliceId: string
  operation: string
  url: string
  status: number | null
  code: string
  requestedAtMs: number
  durationMs: number
  /** Number of physical requests, repetitions after connection faults included. */
  calls: number
}

export interface DatasetTotals {
  dataset: string
  /** All slices of the run's plan, in whatever state. */
  planned: number
  loaded: number
  provisional: number
  empty: number
  failed: number
  /** Slices in the state `planned`: neither loaded nor failed. */
  missing: number
  rows: number
  calls: number
  outsideSlice: number
  duplicate: number
  quarantined: number
  /** Items on more than one page of their listing. The listing moved, so others may be missing. */
  moved: number
  /** Items that the source counts in its listings, and that are on no page. */
  unlisted: number
  unknownPaths: Record<string, number>
}

export interface FailedSlice extends Slice {
  sliceId: string
  code: string
  reason: string
}

/** An id that was requested by name and is not in the answers of a dataset. */
export interface AbsentEntity {
  dataset: string
  entity: string
  /** Time of the first answer without the id since an answer last had it. */
  goneSinceMs: number
  /** Whether an answer ever had the id. If not, the id is probably mistyped. */
  wasListed: boolean
  /** Whether an earlier run has reported this absence. */
  isTold: boolean
  /** Quarantined rows of the run for this id. */
  rows: number
  /** Slices of the run that failed because the source does not know the id. */
  slices: number
}
