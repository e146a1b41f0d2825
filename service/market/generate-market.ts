import type { Dataset } from '../../datasets/dataset.ts'
import { datasets, tableByName } from '../../datasets/index.ts'
import { createCatalogueBook } from './catalogue-book.ts'
import { listingBatches } from './listing-batches.ts'
import type { MarketBatch } from './market-batch.ts'
import { observedAtMs, dailyMarkets } from './daily-markets.ts'
import type { MarketSpec } from './market-spec.ts'
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
  const markets = dailyMarkets(spec)
  yield* listedBatches(
    markets,
    datasets.filter(({ name }) => !SERIES_DATASETS.has(name)),
  )
  yield* seriesBatches(markets.at(-1)!)
}

/** The rows of all datasets but series, over all looks and every possible entity. */
export function* listedBatches(
  markets: readonly Market[],
  chosen: readonly Dataset[],
): Generator<MarketBatch> {
  const book = createCatalogueBook()
  for (const market of markets) {
    for (const dataset of chosen) {
      if (!isSeenAt(dataset, market, markets)) continue
      for (const batch of listingBatches(dataset, market)) {
        const isCatalogue = tableByName(batch.table)!.load === 'catalogue'
        if (isCatalogue) book.add(batch, observedAtMs(market))
        else yield batch
      }
    }
  }
  yield* book.batches()
}

/** Each observation has listings of its own; data with a past exists once, as of the last observation. */
export function isSeenAt(dataset: Dataset, market: Market, markets: readonly Market[]): boolean {
  const isListing = dataset.kind === 'snapshot' || dataset.kind === 'catalogue'
  return isListing || market === markets.at(-1)
}
