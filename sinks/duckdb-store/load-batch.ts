import type { Settlement } from '../../plan/settled.ts'
import type { PlannedSlice } from '../../plan/planned-slice.ts'
import type { StagedPage } from '../../stage/page-stage.ts'

/** A slice that is whole in the stage, on its way into the store. */
export interface StagedSlice {
  planned: PlannedSlice
  /** In order: steps, then pages. */
  pages: readonly StagedPage[]
  /** When the source answered: the oldest page decides how much is settled. */
  fetchedAtMs: number
  settlement: Settlement
}

/** Rows of a slice over all its pages and tables. */
export function stagedRows(slice: StagedSlice): number {
  return slice.pages.reduce(
    (sum, page) => sum + page.tables.reduce((rows, table) => rows + table.rowCount, 0),
    0,
  )
}

/** Cuts slices into batches of at most `maxRows` rows, in order; a slice is never cut. */
export function cutBatches(slices: readonly StagedSlice[], maxRows: number): StagedSlice[][] {
  const batches: StagedSlice[][] = []
  let open: StagedSlice[] = []
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
