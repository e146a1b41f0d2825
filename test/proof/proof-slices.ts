import { DAY_MS } from '../../config/values/duration.ts'
import type { Dataset, Slice } from '../../datasets/dataset.ts'
import type { Market } from '../../service/market/market-entries.ts'
import { listingSlices, marketEntities } from '../../service/market/listing-batches.ts'

/** Slices of each kind of thing a dataset is fetched for are this many at most. */
const MAX_ENTITIES = 2

/** A few slices of a dataset that a market has something to say to, one per granularity. */
export function proofSlices(dataset: Dataset, market: Market): Slice[] {
  const { nowMs } = market.spec
  if (dataset.kind !== 'range' && dataset.kind !== 'trailing') {
    return listingSlices(dataset, market).slice(0, MAX_ENTITIES)
  }
  const toMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  return marketEntities(dataset, market)
    .slice(0, MAX_ENTITIES)
    .flatMap((entity) =>
      dataset.granularities.map((granularity) => ({
        dataset: dataset.name,
        entity,
        vsCurrency: dataset.perCurrency ? market.spec.vsCurrencies[0]! : '',
        granularity,
        fromMs: toMs - DAY_MS,
        toMs: nowMs,
      })),
    )
}
