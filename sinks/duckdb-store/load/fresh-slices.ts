import type { LoadIds, StagedSlice } from './load-batch.ts'
import { datasetOf, type StoreContext } from '../store-context.ts'

/**
 * The claimed slices whose stretch has no rows yet by the ledger, sorted like their tables. A slice that overlaps
 * another one is not fresh. Even a failed one counts, because a damaged slice leaves its rows behind.
 */
export async function freshSlices(
  context: StoreContext,
  { runId, loadId }: LoadIds,
  slices: readonly StagedSlice[],
): Promise<StagedSlice[]> {
  const ofSeries = slices.filter(({ planned }) => hasSortedSeries(context, planned.dataset))
  if (ofSeries.length === 0) return []
  const overlapping = await context.writer.rows<{ ordinal: number }>(
    `WITH mine AS (FROM _slices WHERE run_id = $runId AND load_id = $loadId AND state = 'staged')
     SELECT DISTINCT mine.ordinal
     FROM mine JOIN _slices o
       ON o.dataset = mine.dataset AND o.entity = mine.entity AND o.vs_currency = mine.vs_currency
         AND o.granularity = mine.granularity AND o.from_at < mine.to_at AND o.to_at > mine.from_at
     WHERE o.state <> 'planned' AND (o.run_id <> mine.run_id OR o.ordinal <> mine.ordinal)`,
    { runId, loadId },
  )
  const known = new Set(overlapping.map(({ ordinal }) => ordinal))
  return inTableOrder(ofSeries.filter(({ planned }) => !known.has(planned.ordinal)))
}

/** Whether a slice of this dataset is a stretch of one series, in a single table sorted by series and time. */
function hasSortedSeries(context: StoreContext, name: string): boolean {
  const { kind, tables, entitiesPerSlice, currenciesPerSlice } = datasetOf(context, name)
  const isSeries = kind === 'range' || kind === 'trailing'
  const isOfOne = entitiesPerSlice === undefined && currenciesPerSlice === undefined
  const [table, ...more] = tables
  if (!isSeries || !isOfOne || table?.load !== 'facts' || more.length > 0) return false
  const time = table.sort.at(-1)
  return time !== undefined && table.monthBy === time && table.key.includes(time)
}

/** Sorts slices as tables are sorted, so that the rows of a load need no sort. */
function inTableOrder(slices: readonly StagedSlice[]): StagedSlice[] {
  const keyed = slices.map((slice) => {
    const { entity, vsCurrency, granularity, fromMs } = slice.planned
    return { slice, name: Buffer.from([entity, vsCurrency, granularity].join('\0')), fromMs }
  })
  keyed.sort((a, b) => Buffer.compare(a.name, b.name) || a.fromMs - b.fromMs)
  return keyed.map(({ slice }) => slice)
}
