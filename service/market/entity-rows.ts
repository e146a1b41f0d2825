import type { Dataset } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { COIN_CATEGORIES_TABLE, coinCategoryRows } from './coin-category-rows.ts'
import { isSeenAt, listedBatches } from './generate-market.ts'
import { listingBatches, marketEntities } from './listing-batches.ts'
import type { MarketBatch } from './write-batches.ts'
import { tokenRef } from './market.ts'
import type { Market } from './market.ts'
import { SERIES_DATASETS, seriesBatches } from './series-batches.ts'
import type { SeriesWanted } from './series-batches.ts'

/** Datasets with one coin, exchange or token per request. Their rows can be made on request. */
export const ENTITY_DATASETS: readonly Dataset[] = datasets.filter(
  ({ entity, entitiesPerSlice }) =>
    entity !== null && entity !== 'query' && entitiesPerSlice === undefined,
)

/** The tables of ENTITY_DATASETS by name. */
export const ENTITY_TABLES: ReadonlyMap<string, Dataset> = new Map(
  ENTITY_DATASETS.flatMap((dataset) =>
    dataset.tables
      .filter(({ name }) => name !== COIN_CATEGORIES_TABLE)
      .map(({ name }): [string, Dataset] => [name, dataset]),
  ),
)

/** The rows of markets by entity. All other rows come from `sharedBatches`. */
export interface EntityRows {
  /** Whether one of the markets has the entity. Each market is one observation. */
  knows(dataset: Dataset, entity: string): boolean
  /** The rows of one entity in all observations. */
  batches(dataset: Dataset, entity: string): Generator<MarketBatch>
}

/** Rows of no single entity: listings, sums, and the categories of all coins. */
export function* sharedBatches(markets: readonly Market[]): Generator<MarketBatch> {
  const shared = datasets.filter((dataset) => !ENTITY_DATASETS.includes(dataset))
  yield* listedBatches(markets, shared)
  for (const market of markets) yield coinCategoryRows(market)
}

export function createEntityRows(markets: readonly Market[]): EntityRows {
  const sets = new Map<string, ReadonlySet<string>>()
  const isIn = (market: Market, dataset: Dataset, entity: string): boolean => {
    const key = `${markets.indexOf(market)} ${dataset.name}`
    const known = sets.get(key) ?? new Set(marketEntities(dataset, market))
    sets.set(key, known)
    return known.has(entity)
  }
  return {
    knows: (dataset, entity) => markets.some((market) => isIn(market, dataset, entity)),
    *batches(dataset, entity) {
      for (const market of markets) {
        if (!isSeenAt(dataset, market, markets) || !isIn(market, dataset, entity)) continue
        const made = SERIES_DATASETS.has(dataset.name)
          ? seriesBatches(market, seriesOf(dataset, market, entity))
          : listingBatches(dataset, market, [entity])
        for (const batch of made) if (ENTITY_TABLES.has(batch.table)) yield batch
      }
    },
  }
}

function seriesOf(dataset: Dataset, market: Market, entity: string): SeriesWanted[] {
  const wanted = new Set([dataset.name])
  if (dataset.entity === 'coin') {
    const coins = market.coins.filter(({ id }) => id === entity)
    return coins.map((coin) => ({ coin, datasets: wanted, tokens: [] }))
  }
  const tokens = market.tokens.filter((token) => tokenRef(token) === entity)
  return tokens.map((token) => ({ coin: token.coin, datasets: wanted, tokens: [token] }))
}
