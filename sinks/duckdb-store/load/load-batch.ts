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

/** Rows of a full row group of DuckDB. */
const ROW_GROUP_ROWS = 122_880
/**
 * Merging a million rows takes about 250 MB, five million about 1 GB. A join of half a million rows stays within the
 * memory limit of DuckDB. Beyond the limit the transaction would run a second time.
 */
const MAX_ROWS_PER_TRANSACTION = 500_000

/**
 * Cuts a load into transactions. Two row groups or more go in as large batches, because DuckDB writes whole groups into
 * the file at once. Fewer rows go in batches smaller than a group, which fill up the last group. If a part of a group
 * followed a single whole group, the next checkpoint would merge them and write the table again.
 */
export function cutLoad(slices: readonly PagedSlice[]): PagedSlice[][] {
  const rows = slices.reduce((sum, slice) => sum + stagedRows(slice), 0)
  const isBulk = rows >= 2 * ROW_GROUP_ROWS
  return cutBatches(slices, isBulk ? MAX_ROWS_PER_TRANSACTION : ROW_GROUP_ROWS - 1)
}

/** Cuts slices into batches of at most `maxRows` rows, in order; a slice is never cut. */
function cutBatches(slices: readonly PagedSlice[], maxRows: number): PagedSlice[][] {
  const batches: PagedSlice[][] = []
  let open: PagedSlice[] = []
  let rows = 0
  for (const slice of slices) {
    const more = stagedRows(slice)
    if (open.length > 0 && rows + more > maxRows) {
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
