import type { Column } from '../../datasets/dataset.ts'
import { storedColumns } from '../../datasets/table/ddl.ts'
import { datasets } from '../../datasets/index.ts'
import { coverageView } from '../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { publishedTable } from '../../sinks/publish-duckdb/published-table.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'
import type { OpenPublication } from '../query/open-published.ts'
import { QueryError } from '../query/query-error.ts'

export interface DescribedRelation {
  name: string
  description: string
  columns: readonly Column[]
  /** Columns that together identify a row; null = none are promised. */
  key: readonly string[] | null
  /** All values of a column that has only a few, by the column's name. */
  values: Readonly<Record<string, readonly string[]>>
}

/**
 * The described relations of a publication.
 *
 * @param root the warehouse, for the message
 * @throws QueryError NO_DUCKDB_PUBLICATION: dbt can attach no Parquet tree
 */
export async function publishedRelations(
  { kind, rows }: Pick<OpenPublication, 'kind' | 'rows'>,
  root: string,
): Promise<DescribedRelation[]> {
  if (kind !== 'duckdb') {
    throw new QueryError(`no DuckDB file is published in ${root}`, {
      code: 'NO_DUCKDB_PUBLICATION',
      hint: 'Add duckdb to `sinks` in coinlake.yaml and run `coinlake backfill`: dbt attaches that file.',
    })
  }
  const found = await rows(
    `SELECT table_name FROM information_schema.tables
     WHERE table_catalog = current_database() AND table_schema = 'main'`,
  )
  const names = new Set(found.map((row) => row['table_name']))
  return describedRelations().filter(({ name }) => names.has(name))
}

/** All relations of a published file: views for analysts first, then tables and ledger. */
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
