import type { Table as ArrowTable } from 'apache-arrow'
import { datasets } from '../../datasets/index.ts'
import { listingBatches } from './listing-batches.ts'
import type { MarketBatch } from './market-batch.ts'
import type { MarketSpec } from './market-spec.ts'
import { createMarket } from './market.ts'
import { SERIES_DATASETS, seriesBatches } from './series-batches.ts'

/**
 * Everything the market holds, in batches of bounded size. Listings are what the source
 * would say, read by their dataset; series are written straight into columns, so that a dataset that
 * mixed columns up would be seen.
 *
 * @throws ConfigError MARKET_SPEC
 */
export function* generateMarket(spec: MarketSpec): Generator<MarketBatch> {
  const market = createMarket(spec)
  for (const dataset of datasets) {
    if (!SERIES_DATASETS.has(dataset.name)) yield* listingBatches(dataset, market)
  }
  yield* seriesBatches(market)
}

/** Writes a market through a writer of the caller; returns the rows of each table. */
export async function fillWarehouse(
  spec: MarketSpec,
  write: (table: string, rows: ArrowTable) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, rows } of generateMarket(spec)) {
    if (rows.numRows === 0) continue
    await write(table, rows)
    counts[table] = (counts[table] ?? 0) + rows.numRows
  }
  return counts
}
