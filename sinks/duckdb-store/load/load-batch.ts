import type { Settlement } from '../../../plan/settled.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'
import type { StagedPage } from '../../../stage/page-stage.ts'

/** A slice that is whole in the stage. */
export interface PagedSlice {
  planned: PlannedSlice
  /** In order: steps, then pages. */
  pages: readonly StagedPage[]
  /** When the source answered: the oldest page decides how much is settled. */
  fetchedAtMs: number
}

/** A slice on its way into the store. */
export interface StagedSlice extends PagedSlice {
  settlement: Settlement
}

/** Rows of a slice over all its pages and tables. */
export function stagedRows(slice: PagedSlice): number {
  return slice.pages.reduce(
    (sum, page) => sum + page.tables.reduce((rows, table) => rows + table.rowCount, 0),
    0,
  )
}

/** Rows of a full row group of DuckDB. */
const ROW_GROUP_ROWS = 122_880
/**
 * A transaction of a million rows that are merged peaks at about 250 MB, five million at about 1 GB, and a
 * join of half a million stays within what DuckDB may take: beyond it the transaction is done a second time.
 */
const MAX_ROWS_PER_TRANSACTION = 500_000

/**
 * The transactions of a load. Two row groups and more go in as they are: whole groups are written into
 * the file at once. Fewer rows go in pieces that are smaller than a group, which fill up the last one: a part
 * of a group behind a single whole one would be merged with its neighbours by the next checkpoint, which
 * writes the table again.
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
