import type { Freshness } from '../freshness/freshness-facts.ts'
import { newestColumn, timedTable } from '../freshness/freshness-facts.ts'
import { storedColumns } from '../../datasets/table/ddl.ts'
import type { Dataset } from '../../datasets/dataset.ts'

/** The question of `dbt source freshness` to a table. */
export interface SourceFreshness {
  loadedAtField: string
  /** Leaves the moving point out; null where a table has none. */
  filter: string | null
  /** Where no configuration is at hand, and where all that is asked for has ended: null. */
  allowedMs: number | null
}

/**
 * By table, the column and the limit by which `dbt source freshness` fails where `coinlake status --check`
 * says stale. A table of several orders is as fresh as the newest of them, so the shortest limit holds.
 *
 * @param found as the configuration has it; [] without one
 */
export function sourceFreshness(
  datasets: readonly Dataset[],
  found: readonly Freshness[],
): ReadonlyMap<string, SourceFreshness> {
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
