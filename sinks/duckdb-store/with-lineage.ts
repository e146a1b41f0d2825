import type { Table as ArrowTable } from 'apache-arrow'
import { arrowColumns, tableOfColumns } from '../../datasets/arrow-columns.ts'
import type { ColumnData } from '../../datasets/column-data.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { storedColumns } from '../../datasets/ddl.ts'
import { lineageColumns } from '../../datasets/lineage.ts'

/** What a load adds to the rows of one page. */
export interface Lineage {
  isProvisional: ColumnData
  isMoving: ColumnData
  fetchedAtMs: number
  sliceId: string
  loadId: number
}

/**
 * Rows of facts (one batch) with the columns of lineage behind their own, as they stand in the store.
 * Values are not copied.
 */
export function withLineage(rows: ArrowTable, table: TableSpec, lineage: Lineage): ArrowTable {
  const own = rows.batches[0]?.data.children ?? []
  const added = arrowColumns(
    { name: table.name, columns: lineageColumns(table) },
    {
      is_provisional: lineage.isProvisional,
      fetched_at: { constant: lineage.fetchedAtMs },
      slice_id: { constant: lineage.sliceId },
      load_id: { constant: lineage.loadId },
      is_moving: lineage.isMoving,
    },
    rows.numRows,
    own.length,
  )
  return tableOfColumns(storedColumns(table), [...own, ...added], rows.numRows)
}
