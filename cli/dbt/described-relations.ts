import type { Column } from '../../datasets/dataset.ts'
import { storedColumns } from '../../datasets/table/ddl.ts'
import { datasets } from '../../datasets/index.ts'
import { coverageView } from '../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { publishedTable } from '../../sinks/publish-duckdb/published-table.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'

/** A table or view of a published file, with what is known of its rows. */
export interface DescribedRelation {
  name: string
  description: string
  columns: readonly Column[]
  /** Columns of which no two rows agree in all; null where nothing is promised. */
  key: readonly string[] | null
  /** Values of a column, where a dataset has only a few: by the column's name. */
  values: Readonly<Record<string, readonly string[]>>
}

/** All that a published file can hold: first what people ask, then what it is made of. */
export function describedRelations(): DescribedRelation[] {
  const plain = { key: null, values: {} }
  return [
    ...analystViews.map((view) => ({ ...view, ...plain })),
    ...datasets.flatMap(({ tables, granularities }) => {
      return tables.map((table) => {
        const columns = storedColumns(table)
        const isSeries = columns.some(({ name }) => name === 'granularity')
        const values = isSeries && granularities.length > 0 ? { granularity: granularities } : {}
        return { ...table, columns, values }
      })
    }),
    ...ledgerTables.map((table) => ({ ...table, values: {} })),
    { ...coverageView, ...plain },
    { ...publishedTable, ...plain },
  ]
}
