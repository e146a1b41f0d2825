import type { Column, ColumnType, TableSpec } from '../../datasets/dataset.ts'

/** A table of the ledger, described like every other table for comments and the data dictionary. */
export type LedgerTable = TableSpec

interface ColumnNotes {
  unit?: string
  /** Default true, as in TableSpec. */
  nullable?: boolean
}

/** A ledger column. Timestamps are UTC. */
export function ledgerColumn(
  name: string,
  type: ColumnType,
  description: string,
  notes: ColumnNotes = {},
): Column {
  const unit = notes.unit ?? (type === 'timestamp' ? 'UTC' : null)
  return { name, type, unit, description, nullable: notes.nullable ?? true }
}

/** A ledger table: without lineage columns, one Parquet file, only the store writes its rows. */
export function ledgerTable(
  name: string,
  description: string,
  key: readonly string[],
  columns: readonly Column[],
): LedgerTable {
  const required = columns.map((column) =>
    key.includes(column.name) ? { ...column, nullable: false } : column,
  )
  return { name, description, columns: required, key, sort: key, load: 'snapshot', monthBy: null }
}
