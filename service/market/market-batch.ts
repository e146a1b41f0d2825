import type { Table as ArrowTable } from 'apache-arrow'

/** Rows of one table, with the dataset's own columns; lineage is added by who writes them. */
export interface MarketBatch {
  table: string
  rows: ArrowTable
}
