import { GRANULARITY_MS, floorTo } from '../../api/granularity.ts'
import { tokenText } from '../../config/values/token-ref.ts'
import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import type { ColumnsByName } from '../../datasets/arrow/column-data.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { candlesOf, type Candles } from './candles.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import type { MarketBatch } from './listing-batches.ts'
import type { Market } from './market-entries.ts'
import { seriesTimes, type SeriesTimes } from './series-times.ts'

/** Datasets whose rows are made here, not by `toTables`, so that a test sees when `toTables` mixes up columns. */
export const BATCHED_DATASETS: ReadonlySet<string> = new Set([
  'market_chart',
  'token_market_chart',
  'ohlc',
])

/** The charts or candles of a coin or token that the market has, a batch for each currency and granularity. */
export function seriesBatches(dataset: Dataset, market: Market, entity: string): MarketBatch[] {
  const token = market.tokens.find((one) => tokenText(one) === entity)
  const coin = token?.coin ?? market.coins.find(({ id }) => id === entity)!
  const subject =
    token === undefined
      ? { coin_id: coin.id }
      : { platform_id: token.platformId, contract_address: token.contractAddress }
  const [spec] = dataset.tables
  return market.currencies.flatMap((vs) => {
    const series =
      dataset.name === 'ohlc'
        ? candlesOf(market.spec, market.prices, coin, vs)
        : seriesTimes(market.spec, coin)
    return series.map((one): MarketBatch => {
      const numbers = 'open' in one ? candleColumns(one) : chartColumns(market, coin, vs, one)
      const texts = { ...subject, vs_currency: vs.code, granularity: one.granularity }
      // Technical columns are null.
      const constants = spec!.columns.map(({ name }) => {
        return [name, { constant: texts[name as keyof typeof texts] ?? null }] as const
      })
      const columns: ColumnsByName = { ...Object.fromEntries(constants), ...numbers }
      return { table: spec!.name, rows: tableFromColumns(spec!, columns, one.ts.length) }
    })
  })
}

function chartColumns(
  { prices }: Market,
  coin: MarketCoin,
  vs: Currency,
  { granularity, ts, knots }: SeriesTimes,
): ColumnsByName {
  const bucket = { numbers: ts.map((ms) => floorTo(ms, granularity)) }
  return {
    ts: { numbers: ts },
    bucket_at: bucket,
    price: { numbers: knots.map((knot) => prices.price(coin, vs, knot)) },
    market_cap: Array.from(knots, (knot) => prices.marketCap(coin, vs, knot)),
    total_volume: { numbers: knots.map((knot) => prices.volume24h(coin, vs, knot)) },
    bucket_date: bucket,
  }
}

function candleColumns({ granularity, ts, open, high, low, close }: Candles): ColumnsByName {
  const closeAt = ts.map((ms) => ms + GRANULARITY_MS[granularity])
  const columns = { ts, close_at: closeAt, open, high, low, close, ts_date: ts }
  return Object.fromEntries(
    Object.entries(columns).map(([name, numbers]) => [name, { numbers }] as const),
  )
}
