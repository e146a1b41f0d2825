import type { Table as ArrowTable } from 'apache-arrow'
import { DAY_MS } from '../../api/granularity.ts'
import { datasets, tableByName } from '../../datasets/index.ts'
import { createCatalogueBook } from './catalogue-book.ts'
import { listingBatches } from './listing-batches.ts'
import type { MarketBatch } from './market-batch.ts'
import type { MarketSpec } from './market-spec.ts'
import { createMarket } from './market.ts'
import type { Market } from './market.ts'
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
  const book = createCatalogueBook()
  for (const look of looksOf(market)) {
    const isLast = look === market
    for (const dataset of datasets) {
      if (SERIES_DATASETS.has(dataset.name)) continue
      const isListing = dataset.kind === 'snapshot' || dataset.kind === 'catalogue'
      if (!isListing && !isLast) continue
      for (const batch of listingBatches(dataset, look)) {
        const isCatalogue = tableByName(batch.table)!.load === 'catalogue'
        if (isCatalogue) book.add(batch, lookMs(look))
        else yield batch
      }
    }
  }
  yield* book.batches()
  yield* seriesBatches(market)
}

/** The market of each look at it, a day apart; the last is the market itself. */
function looksOf(market: Market): Market[] {
  const { spec } = market
  const earlier = Array.from({ length: (spec.observations ?? 1) - 1 }, (_, place) => {
    const days = (spec.observations ?? 1) - 1 - place
    return createMarket({ ...spec, nowMs: spec.nowMs - days * DAY_MS })
  })
  return [...earlier, market]
}

/** A source answers in whole seconds. */
function lookMs({ spec }: Market): number {
  return Math.floor(spec.nowMs / 1_000) * 1_000
}

/** So many rows are written at once: a table of a few rows costs as much to write as one of many. */
const ROWS_PER_WRITE = 10_000
/** So many tables wait at most: one of a single row still takes tens of kB. */
const TABLES_PER_WRITE = 500

/** Writes a market through a writer of the caller; returns the rows of each table. */
export async function fillWarehouse(
  spec: MarketSpec,
  write: (table: string, rows: ArrowTable) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const waiting = new Map<string, ArrowTable[]>()
  const flush = async (table: string): Promise<void> => {
    const [first, ...rest] = waiting.get(table) ?? []
    waiting.delete(table)
    if (first === undefined) return
    const rows = first.concat(...rest)
    await write(table, rows)
    counts[table] = (counts[table] ?? 0) + rows.numRows
  }
  for (const { table, rows } of generateMarket(spec)) {
    if (rows.numRows === 0) continue
    const batches = waiting.get(table) ?? []
    waiting.set(table, batches)
    batches.push(rows)
    const count = batches.reduce((sum, batch) => sum + batch.numRows, 0)
    if (count >= ROWS_PER_WRITE || batches.length >= TABLES_PER_WRITE) await flush(table)
  }
  for (const table of waiting.keys()) await flush(table)
  return counts
}
