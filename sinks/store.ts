import type { Slice } from '../datasets/dataset.ts'

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

/** The result of a load. Rows of a table after = rows before + rowsInserted - rowsReplaced. */
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
  /** Items that the source counted and its listings lacked. */
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
  /** Whether an earlier run has reported it. */
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
