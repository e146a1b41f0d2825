import type { Row, Slice } from '../../datasets/dataset.ts'
import { seriesKey } from '../../plan/covered.ts'

/**
 * Tells the answers of a warehouse in a stage that it shares with others: a page says what it answered, and not whom. A slice that the ledger
 * has never planned is another's, or so new that the next backfill finds it in the stage. Without a ledger nothing tells.
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
