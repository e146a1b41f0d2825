import type { Dataset, Slice, TableSpec } from '../../datasets/dataset.ts'
import type { Session } from '../duckdb-store/session.ts'

/** Tables and a ledger to compare: of a store, or of a publication. */
export interface VerifySource {
  rows: Session['rows']
  /** A table of a dataset as SQL to select from; null: this place has none. */
  relation(table: TableSpec): string | null
  /** A ledger table as SQL to select from. */
  ledger(name: string): string
}

export type CheckName =
  | 'rows' // the number or the values of a slice's rows are not those that its loads wrote
  | 'unknown_slice' // rows of a slice that the ledger does not know
  | 'duplicates' // rows that share a key
  | 'bounds' // points outside their slice
  | 'grid' // points whose bucket_at is not the start of their step
  | 'order' // rows of a publication out of order
  | 'newest' // newest rows of a publication that differ from their history's
  | 'seams' // slices that overlap
  | 'file' // a missing or changed file of a store, a publication or the stage

export interface Difference {
  check: CheckName
  place: 'store' | 'duckdb' | 'parquet' | 'stage'
  /** null: the difference is of no table. */
  table: string | null
  sliceId: string | null
  /** null: the ledger does not know the slice. */
  slice: Slice | null
  /** The subject of the difference, for people. */
  what: string
  expected: string
  found: string
}

export interface VerifyContext {
  source: VerifySource
  place: Difference['place']
  datasets: readonly Dataset[]
}

export function difference(
  { place }: Pick<VerifyContext, 'place'>,
  facts: Pick<Difference, 'check' | 'what' | 'expected' | 'found'> & Partial<Difference>,
): Difference {
  return { place, table: null, sliceId: null, slice: null, ...facts }
}
