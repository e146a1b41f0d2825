import type { TableSpec } from '../../datasets/dataset.ts'
import { storedColumns } from '../../datasets/ddl.ts'
import type { StagedSlice } from './load-batch.ts'
import { merge } from '../../plan/intervals.ts'
import type { Interval } from '../../plan/intervals.ts'
import { standingColumns } from './standing-columns.ts'
import { datasetOf, tableOf } from './store-context.ts'
import type { StoreContext } from './store-context.ts'

/** A claimed slice that is a part of one series. */
export interface SeriesSlice {
  /** What it fills. */
  table: TableSpec
  /** The stretches of it in which there may be rows, in normal form. */
  met: Interval[]
  /** Whether another slice of the same load speaks of such a stretch. */
  meetsOwn: boolean
}

/**
 * Of the claimed slices those that are parts of a series, by ordinal, with where they may meet rows:
 * stretches of slices that came to an end, and of others of this load. What failed counts too, since a slice
 * that was found damaged has left some.
 */
export async function seriesSlices(
  context: StoreContext,
  { runId, loadId }: { runId: string; loadId: number },
  slices: readonly StagedSlice[],
): Promise<Map<number, SeriesSlice>> {
  const series = new Map<number, SeriesSlice>()
  for (const { planned } of slices) {
    const table = tableOfSeries(context, planned.dataset)
    if (table !== null) series.set(planned.ordinal, { table, met: [], meetsOwn: false })
  }
  for (const table of new Set([...series.values()].map((slice) => slice.table))) {
    if (await isLaidOutAsSaid(context, table)) continue
    for (const [ordinal, slice] of series) if (slice.table === table) series.delete(ordinal)
  }
  if (series.size === 0) return series
  const met = await context.writer.rows(
    `WITH mine AS (FROM _slices WHERE run_id = $runId AND load_id = $loadId AND state = 'staged')
     SELECT DISTINCT mine.ordinal, epoch_ms(o.from_at) AS from_ms, epoch_ms(o.to_at) AS to_ms,
       o.run_id = mine.run_id AND o.load_id IS NOT DISTINCT FROM mine.load_id AS is_own
     FROM mine JOIN _slices o
       ON o.dataset = mine.dataset AND o.entity = mine.entity AND o.vs_currency = mine.vs_currency
         AND o.granularity = mine.granularity AND o.from_at < mine.to_at AND o.to_at > mine.from_at
     WHERE o.state <> 'planned' AND (o.run_id <> mine.run_id OR o.ordinal <> mine.ordinal)`,
    { runId, loadId },
  )
  for (const row of met) {
    const slice = series.get(Number(row['ordinal']))
    if (slice === undefined) continue
    slice.met.push({ fromMs: Number(row['from_ms']), toMs: Number(row['to_ms']) })
    slice.meetsOwn ||= row['is_own'] === true
  }
  for (const slice of series.values()) slice.met = merge(slice.met)
  return series
}

/** The table of a dataset whose slices are each a part of one series; null where they are not that plain. */
function tableOfSeries(context: StoreContext, name: string): TableSpec | null {
  const { kind, tables, entitiesPerSlice, currenciesPerSlice } = datasetOf(context, name)
  const isSeries = kind === 'range' || kind === 'trailing'
  const isOfOne = entitiesPerSlice === undefined && currenciesPerSlice === undefined
  const [table, ...more] = tables
  if (!isSeries || !isOfOne || table?.load !== 'facts' || more.length > 0) return null
  return table.monthBy === table.sort.at(-1) ? tableOf(context, table.name) : null
}

/** Whether a table's columns stand in the order of its spec. */
async function isLaidOutAsSaid({ writer }: StoreContext, table: TableSpec): Promise<boolean> {
  const said = storedColumns(table).map(({ name }) => name)
  return said.join() === (await standingColumns(writer.connection, table.name)).join()
}
