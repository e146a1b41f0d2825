import type { Settlement } from '../../../plan/settled.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'
import type { StagedPage } from '../../../stage/page-stage.ts'

/** A slice with all its pages in the stage. */
export interface PagedSlice {
  planned: PlannedSlice
  /** Sorted by step, then page. */
  pages: readonly StagedPage[]
  /** When the source answered the oldest page, which decides how much is settled. */
  fetchedAtMs: number
}

/** A slice that is being loaded. */
export interface StagedSlice extends PagedSlice {
  settlement: Settlement
}

/** Number of rows of a slice, over all its pages and tables. */
export function stagedRows(slice: PagedSlice): number {
  return slice.pages.reduce(
    (sum, page) => sum + page.tables.reduce((rows, table) => rows + table.rowCount, 0),
    0,
  )
}

/**
 * Two row groups of DuckDB. Merging a million rows takes about 250 MB, five million about 1 GB; beyond the memory limit of
 * DuckDB the transaction would run a second time. The rows end at or just below a whole row group, because a checkpoint
 * merges groups that fit into fewer ones, and writes them again.
 */
const MAX_ROWS_PER_TRANSACTION = 2 * 122_880

/** Cuts a load into transactions of whole slices, in order. */
export function cutLoad(slices: readonly PagedSlice[]): PagedSlice[][] {
  const batches: PagedSlice[][] = []
  let open: PagedSlice[] = []
  let rows = 0
  for (const slice of slices) {
    const more = stagedRows(slice)
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
