import type { Dataset, Row, Slice, TableSpec } from '../../datasets/dataset.ts'

/** Tables and a ledger to compare: of a store, or of a publication. */
export interface VerifySource {
  /** Rows of a SELECT; times are asked for as `epoch_ms(...)`. */
  rows(sql: string): Promise<Row[]>
  /** A dataset's table as SQL to select from; null when this place has none. */
  relation(table: TableSpec): string | null
  /** A ledger table as SQL to select from. */
  ledger(name: string): string
}

/** The check that found a difference. */
export type CheckName =
  | 'rows' // of a slice in a table: as many, with the values, that its loads wrote
  | 'unknown_slice' // rows of a slice that the ledger does not know
  | 'duplicates' // rows that share a key
  | 'bounds' // points outside their slice
  | 'grid' // points outside their step
  | 'order' // rows of a publication out of their order
  | 'newest' // the newest rows of a publication, which must follow from the table beside them
  | 'seams' // slices that overlap
  | 'file' // of a store, a publication, the stage: missing, or not as it was written

/** One thing that is not as the ledger says. */
export interface Difference {
  check: CheckName
  /** Where: the store, a publication, or the kept answers. */
  place: 'store' | 'duckdb' | 'parquet' | 'stage'
  /** null where no table is meant. */
  table: string | null
  sliceId: string | null
  /** null when the ledger does not know it. */
  slice: Slice | null
  /** The subject of the difference, for people. */
  what: string
  expected: string
  found: string
}

/** The inputs of every check. */
export interface VerifyContext {
  source: VerifySource
  place: Difference['place']
  datasets: readonly Dataset[]
}

/** A difference in its place. */
export function difference(
  { place }: Pick<VerifyContext, 'place'>,
  facts: Pick<Difference, 'check' | 'what' | 'expected' | 'found'> & Partial<Difference>,
): Difference {
  return { place, table: null, sliceId: null, slice: null, ...facts }
}
