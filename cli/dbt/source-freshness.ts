import { MINUTE_MS } from '../../config/values/duration.ts'
import { newestColumn, timedTable, type Freshness } from '../freshness/freshness-facts.ts'
import { storedColumns } from '../../datasets/table/ddl.ts'
import { datasets } from '../../datasets/index.ts'

/**
 * The entries with column and limit for `dbt source freshness`, by table; the limits are those of `coinlake status
 * --check`. A table of several orders is as fresh as its newest order, so the shortest limit holds. A moving point does
 * not count.
 *
 * @param found the freshness of the configured orders; [] = no configuration
 */
export function sourceFreshness(found: readonly Freshness[]): ReadonlyMap<string, unknown> {
  return new Map(
    datasets.map((dataset) => {
      const table = timedTable(dataset)
      const isMovable = storedColumns(table).some(({ name }) => name === 'is_moving')
      const limits = found
        .filter((one) => one.dataset === dataset.name && one.state !== 'ended')
        .map(({ allowedMs }) => allowedMs)
      const count = Math.ceil(Math.min(...limits) / MINUTE_MS)
      const freshness = {
        ...(isMovable && { filter: 'not is_moving' }),
        error_after: { count, period: 'minute' },
      }
      const loadedAt = { loaded_at_field: newestColumn(dataset) }
      return [table.name, { ...loadedAt, ...(limits.length > 0 && { freshness }) }] as const
    }),
  )
}
