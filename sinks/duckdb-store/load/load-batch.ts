import type { Settlement } from '../../../plan/settlement.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'
import type { StagedPage } from '../../../stage/page-stage.ts'

export interface PagedSlice {
  planned: PlannedSlice
  /** Sorted by step, then page. */
  pages: readonly StagedPage[]
  /** When the source answered the oldest page. This time decides how much is settled. */
  fetchedAtMs: number
}

export interface StagedSlice extends PagedSlice {
  settlement: Settlement
}

/** The transaction of a batch. */
export interface LoadIds {
  runId: string
  loadId: number
  nowMs: number
}

/** Number of rows of a slice, over all its pages and tables. */
export function stagedRowCount(slice: PagedSlice): number {
  return slice.pages.reduce(
    (sum, page) => sum + page.tables.reduce((rows, table) => rows + table.rowCount, 0),
    0,
  )
}

/**
 * Two row groups of DuckDB. A merge of a million rows takes about 250 MB. Beyond the memory limit the transaction would
 * run a second time. The limit is whole groups, because a checkpoint writes smaller groups again.
 */
const MAX_ROWS_PER_TRANSACTION = 2 * 122_880

/** Cuts a load into transactions of whole slices, in order. */
export function cutLoad(slices: readonly PagedSlice[]): PagedSlice[][] {
  const batches: PagedSlice[][] = []
  let open: PagedSlice[] = []
  let rows = 0
  for (const slice of slices) {
    const more = stagedRowCount(slice)
    if (open.length > 0 && rows + more > MAX_ROWS_PER_TRANSACTION) {
      batches.push(open)
      open = []
      rows = 0
    }
    open.push(slice)
    rows += more
  }
  if (open.length > 0) batches.push(open)
  return batches
}
