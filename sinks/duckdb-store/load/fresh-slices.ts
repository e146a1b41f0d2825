import type { TableSpec } from '../../../datasets/dataset.ts'
import type { StagedSlice } from './load-batch.ts'
import { datasetOf, type StoreContext, tableOf } from '../store-context.ts'

/**
 * The ordinals of the claimed slices whose stretch has no row in its table, each with that table. A slice that another
 * one overlaps is not fresh. The other may have failed, because damaged slices leave rows behind.
 */
export async function freshSlices(
  context: StoreContext,
  { runId, loadId }: { runId: string; loadId: number },
  slices: readonly StagedSlice[],
): Promise<Map<number, TableSpec>> {
  const fresh = new Map<number, TableSpec>()
  for (const { planned } of slices) {
    const table = tableOfSeries(context, planned.dataset)
    if (table !== null) fresh.set(planned.ordinal, table)
  }
  if (fresh.size === 0) return fresh
  const overlapping = await context.writer.rows(
    `WITH mine AS (FROM _slices WHERE run_id = $runId AND load_id = $loadId AND state = 'staged')
     SELECT DISTINCT mine.ordinal
     FROM mine JOIN _slices o
       ON o.dataset = mine.dataset AND o.entity = mine.entity AND o.vs_currency = mine.vs_currency
         AND o.granularity = mine.granularity AND o.from_at < mine.to_at AND o.to_at > mine.from_at
     WHERE o.state <> 'planned' AND (o.run_id <> mine.run_id OR o.ordinal <> mine.ordinal)`,
    { runId, loadId },
  )
  for (const row of overlapping) fresh.delete(Number(row['ordinal']))
  return fresh
}

/** The table of a dataset whose slices each hold a part of one series; null: another dataset. */
function tableOfSeries(context: StoreContext, name: string): TableSpec | null {
  const { kind, tables, entitiesPerSlice, currenciesPerSlice } = datasetOf(context, name)
  const isSeries = kind === 'range' || kind === 'trailing'
  const isOfOne = entitiesPerSlice === undefined && currenciesPerSlice === undefined
  const [table, ...more] = tables
  if (!isSeries || !isOfOne || table?.load !== 'facts' || more.length > 0) return null
  return table.monthBy === table.sort.at(-1) ? tableOf(context, table.name) : null
}
