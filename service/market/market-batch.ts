import type { Table as ArrowTable } from 'apache-arrow'

/** Rows of one table, with the dataset's own columns; the writer adds those of lineage. */
export interface MarketBatch {
  table: string
  rows: ArrowTable
}
