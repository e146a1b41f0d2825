import { newestColumn, timedTable, type Freshness } from '../freshness/freshness-facts.ts'
import { storedColumns } from '../../datasets/table/ddl.ts'
import { datasets } from '../../datasets/index.ts'

/** The facts by which `dbt source freshness` judges a table. */
export interface SourceFreshness {
  loadedAtField: string
  /** Leaves the moving point out; null = the table has none. */
  filter: string | null
  /** null: no configuration is at hand, or all orders have ended. */
  allowedMs: number | null
}

/**
 * The column and the limit for `dbt source freshness`, by table; the limits are those of `coinlake status --check`. A
 * table of several orders is as fresh as its newest order, so the shortest limit holds.
 *
 * @param found the freshness of the configured orders; [] = no configuration
 */
export function sourceFreshness(found: readonly Freshness[]): ReadonlyMap<string, SourceFreshness> {
  return new Map(
    datasets.map((dataset) => {
      const table = timedTable(dataset)
      const isMovable = storedColumns(table).some(({ name }) => name === 'is_moving')
      const limits = found
        .filter((one) => one.dataset === dataset.name && one.state !== 'ended')
        .map(({ allowedMs }) => allowedMs)
      const asked = {
        loadedAtField: newestColumn(dataset),
        filter: isMovable ? 'not is_moving' : null,
        allowedMs: limits.length === 0 ? null : Math.min(...limits),
      }
      return [table.name, asked] as const
    }),
  )
}
