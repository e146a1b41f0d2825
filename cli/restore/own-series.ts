import type { Row, Slice } from '../../datasets/dataset.ts'
import { seriesKey } from '../../plan/covered.ts'

/**
 * Finds a warehouse's answers in a stage that it shares with others: a page says what it answered, and not for whom.
 * A slice that the ledger has never planned belongs to another warehouse, or is so new that the next backfill finds
 * it in the stage. Without a ledger nothing separates them.
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
