import type { Row, Slice } from '../../datasets/dataset.ts'
import { seriesKey } from '../../plan/covered.ts'

/**
 * Finds a warehouse's answers in a shared stage, because a page does not name its warehouse. The ledger has
 * planned all slices of its own, except new ones that the next backfill finds. Without a ledger all slices count.
 */
export async function ownSeries(
  rows: (sql: string) => Promise<readonly Row[]>,
): Promise<(slice: Slice) => boolean> {
  const planned = await rows(
    'SELECT DISTINCT dataset, entity, vs_currency, granularity FROM _slices',
  )
  const own = new Set(
    planned.map((row) =>
      seriesKey({
        dataset: String(row['dataset']),
        entity: String(row['entity']),
        vsCurrency: String(row['vs_currency']),
        granularity: row['granularity'] as Slice['granularity'],
      }),
    ),
  )
  return (slice) => own.size === 0 || own.has(seriesKey(slice))
}
