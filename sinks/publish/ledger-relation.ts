import type { Column } from '../../datasets/dataset.ts'

/** A ledger table or ledger view of the store as it is published: copied whole, under the same name. */
export interface LedgerRelation {
  name: string
  description: string
  columns: readonly Column[]
  /** The SELECT of a view; absent for a table. */
  sql?: string
}
