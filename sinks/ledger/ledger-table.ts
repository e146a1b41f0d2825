import type { Column, TableSpec } from '../../datasets/dataset.ts'

/** The spec of a ledger table: no lineage columns, no months. */
export function ledgerTable(
  name: string,
  description: string,
  key: readonly string[],
  columns: readonly Column[],
): TableSpec {
  const own = columns.map((column) =>
    key.includes(column.name) ? { ...column, nullable: false } : column,
  )
  return { name, description, columns: own, key, sort: key, load: 'snapshot', monthBy: null }
}
