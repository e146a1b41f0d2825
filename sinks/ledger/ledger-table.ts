import type { Column, TableSpec } from '../../datasets/dataset.ts'

/** A table of the ledger. */
export type LedgerTable = TableSpec

/** A ledger table: without lineage columns, one Parquet file, only the store writes its rows. */
export function ledgerTable(
  name: string,
  description: string,
  key: readonly string[],
  columns: readonly Column[],
): LedgerTable {
  const own = columns.map((column) =>
    key.includes(column.name) ? { ...column, nullable: false } : column,
  )
  return { name, description, columns: own, key, sort: key, load: 'snapshot', monthBy: null }
}
