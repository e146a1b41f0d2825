import { isOfBuckets } from '../../datasets/request/buckets.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasets, tableByName } from '../../datasets/index.ts'
import { createCatalogueMerger } from './catalogue-merger.ts'
import { listingBatches } from './listing-batches.ts'
import type { MarketBatch } from './write-batches.ts'
import type { MarketSpec } from './market-spec.ts'
import { dailyMarkets, observedAtMs, type Market } from './market.ts'
import { SERIES_DATASETS, seriesBatches } from './series-batches.ts'

/**
 * All rows of the market, in batches of bounded size. Datasets read the rows of listings from bodies. Series are written
 * straight into columns, so that a test sees a dataset that mixes columns up.
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

/** The rows of datasets without series, for all observations and entities. */
export function* listedBatches(
  markets: readonly Market[],
  chosen: readonly Dataset[],
): Generator<MarketBatch> {
  const merger = createCatalogueMerger()
  for (const market of markets) {
    for (const dataset of chosen) {
      if (!isSeenAt(dataset, market, markets)) continue
      for (const batch of listingBatches(dataset, market)) {
        const isCatalogue = tableByName(batch.table)!.load === 'catalogue'
        if (isCatalogue) merger.add(batch, observedAtMs(market))
        else yield batch
      }
    }
  }
  yield* merger.batches()
}

/** Whether an observation has the dataset. All have listings; only the last has data with a past. */
export function isSeenAt(dataset: Dataset, market: Market, markets: readonly Market[]): boolean {
  return isOfBuckets(dataset) || market === markets.at(-1)
}
