import type { Table as ArrowTable } from 'apache-arrow'
import { DAY_MS, GRANULARITY_MS, floorTo } from '../../api/granularity.ts'
import type { Dataset, PageContext, RequestStep, Slice } from '../../datasets/dataset.ts'
import { datasets, tableByName } from '../../datasets/index.ts'
import { candlesOf } from './candles.ts'
import type { Candles } from './candles.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import { createMarket } from './market.ts'
import type { Market } from './market.ts'
import type { MarketSpec } from './market-spec.ts'
import { createSeriesBatch } from './series-batch.ts'
import type { SeriesPart } from './series-batch.ts'
import { seriesTimes } from './series-times.ts'
import type { SeriesTimes } from './series-times.ts'

/** Rows of one table, with the dataset's own columns; lineage is added by who writes them. */
export interface MarketBatch {
  table: string
  rows: ArrowTable
}

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
    if (dataset.kind !== 'snapshot' && dataset.kind !== 'catalogue') continue
    for (const slice of listingSlices(dataset, market))
      yield* listingBatches(dataset, slice, market)
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
    await write(table, rows)
    counts[table] = (counts[table] ?? 0) + rows.numRows
  }
  return counts
}

function listingSlices(dataset: Dataset, market: Market): Slice[] {
  const fromMs = floorTo(market.spec.nowMs, '1d')
  const entities = dataset.entity === 'exchange' ? market.exchangeIds : ['']
  const vsCurrencies = dataset.perCurrency ? market.spec.vsCurrencies : ['']
  return entities.flatMap((entity) =>
    vsCurrencies.map((vsCurrency) => ({
      dataset: dataset.name,
      entity,
      vsCurrency,
      granularity: '' as const,
      fromMs,
      toMs: fromMs + DAY_MS,
    })),
  )
}

function* listingBatches(dataset: Dataset, slice: Slice, market: Market): Generator<MarketBatch> {
  const { nowMs } = market.spec
  const steps = dataset.steps(slice, { nowMs, attempt: 1, maxHistoryDays: null })
  for (const [stepIndex, step] of steps.entries()) {
    const context: PageContext = {
      slice,
      step,
      stepIndex,
      page: 1,
      observedAtMs: Math.floor(nowMs / 1_000) * 1_000,
      nowMs,
    }
    yield* dataset.toTables(bodyOf(market, step), context).tables
  }
}

/** The whole listing as one page, in the order the step asks for. */
function bodyOf(market: Market, step: RequestStep): unknown {
  const { operation, params } = step
  switch (operation) {
    case 'coins/list':
      return market.coinsList()
    case 'coins/markets':
      return market.coinsMarkets(params['vs_currency'] ?? '')
    case 'exchanges':
      return market.exchanges()
    case 'exchanges/list':
      return market.exchangesList()
    case 'exchanges/{id}/tickers':
      return market.exchangeTickers(params['id'] ?? '', params['order'])
    case 'exchange_rates':
      return market.exchangeRates()
    default:
      throw new Error(`the simulated market has no listing for ${operation}`)
  }
}

/** Rows of a batch of series: some tens of MB at most, and few enough batches to write fast. */
const BATCH_ROWS = 60_000

function* seriesBatches(market: Market): Generator<MarketBatch> {
  const batches = ['market_chart', 'ohlc'].map((table) => {
    return { table, batch: createSeriesBatch(tableByName(table)!) }
  })
  const [charts, ohlc] = batches.map(({ batch }) => batch)
  for (const coin of market.coins) {
    for (const vs of market.currencies) {
      for (const times of seriesTimes(market.spec, coin)) {
        charts!.add(chartPart(market, coin, vs, times))
      }
      for (const candles of candlesOf(market.spec, market.prices, coin, vs)) {
        ohlc!.add(candlePart(coin, vs, candles))
      }
    }
    for (const { table, batch } of batches) {
      if (batch.rowCount >= BATCH_ROWS) yield { table, rows: batch.take() }
    }
  }
  for (const { table, batch } of batches) {
    if (batch.rowCount > 0) yield { table, rows: batch.take() }
  }
}

function chartPart(
  { prices }: Market,
  coin: MarketCoin,
  vs: Currency,
  { granularity, ts, knots }: SeriesTimes,
): SeriesPart {
  const bucket = ts.map((ms) => floorTo(ms, granularity))
  return {
    texts: { coin_id: coin.id, vs_currency: vs.code, granularity },
    numbers: {
      ts,
      bucket_at: bucket,
      price: knots.map((knot) => prices.price(coin, vs, knot)),
      market_cap: knots.map((knot) => prices.marketCap(coin, vs, knot) ?? NaN),
      total_volume: knots.map((knot) => prices.volume24h(coin, vs, knot)),
      bucket_date: bucket,
    },
    rowCount: ts.length,
  }
}

function candlePart(coin: MarketCoin, vs: Currency, candles: Candles): SeriesPart {
  const { granularity, ts, open, high, low, close } = candles
  const closeAt = ts.map((ms) => ms + GRANULARITY_MS[granularity])
  return {
    texts: { coin_id: coin.id, vs_currency: vs.code, granularity },
    numbers: { ts, close_at: closeAt, open, high, low, close, ts_date: ts },
    rowCount: ts.length,
  }
}
