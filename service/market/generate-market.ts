import type { Table as ArrowTable } from 'apache-arrow'
import { DAY_MS, GRANULARITY_MS, floorTo } from '../../api/granularity.ts'
import { tableFromColumns } from '../../datasets/arrow-columns.ts'
import type { ColumnsByName } from '../../datasets/column-data.ts'
import type { Dataset, PageContext, RequestStep, Slice, TableSpec } from '../../datasets/dataset.ts'
import { datasets, tableByName } from '../../datasets/index.ts'
import { Validity } from '../../datasets/validity.ts'
import { candlesOf } from './candles.ts'
import type { Candles } from './candles.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import { createMarket } from './market.ts'
import type { Market } from './market.ts'
import type { MarketSpec } from './market-spec.ts'
import { seriesTimes } from './series-times.ts'
import type { SeriesTimes } from './series-times.ts'

/** Rows of one table, with the dataset's own columns; lineage is added by who writes them. */
export interface MarketBatch {
  table: string
  rows: ArrowTable
}

/**
 * Everything the market holds, in batches of one coin or one listing. Listings are what the source
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
  for (const coin of market.coins) {
    for (const vs of market.currencies) yield* seriesBatches(market, coin, vs)
  }
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

function* seriesBatches(market: Market, coin: MarketCoin, vs: Currency): Generator<MarketBatch> {
  for (const times of seriesTimes(market.spec, coin)) {
    yield { table: 'market_chart', rows: chartRows(market, coin, vs, times) }
  }
  for (const candles of candlesOf(market.spec, market.prices, coin, vs)) {
    if (candles.ts.length > 0) yield { table: 'ohlc', rows: candleRows(coin, vs, candles) }
  }
}

function chartRows(
  { prices }: Market,
  coin: MarketCoin,
  vs: Currency,
  { granularity, ts, knots }: SeriesTimes,
): ArrowTable {
  const bucket = ts.map((ms) => floorTo(ms, granularity))
  const caps = new Float64Array(ts.length)
  const known = new Validity(ts.length)
  knots.forEach((knot, row) => {
    const cap = prices.marketCap(coin, vs, knot)
    if (cap === null) known.setNull(row)
    else caps[row] = cap
  })
  return rowsOf('market_chart', ts.length, {
    coin_id: { constant: coin.id },
    vs_currency: { constant: vs.code },
    granularity: { constant: granularity },
    ts: { numbers: ts },
    bucket_at: { numbers: bucket },
    price: { numbers: knots.map((knot) => prices.price(coin, vs, knot)) },
    market_cap: { numbers: caps, validity: known },
    total_volume: { numbers: knots.map((knot) => prices.volume24h(coin, vs, knot)) },
    bucket_date: { numbers: bucket },
  })
}

function candleRows(coin: MarketCoin, vs: Currency, candles: Candles): ArrowTable {
  const { granularity, ts, open, high, low, close } = candles
  const stepMs = GRANULARITY_MS[granularity]
  return rowsOf('ohlc', ts.length, {
    coin_id: { constant: coin.id },
    vs_currency: { constant: vs.code },
    granularity: { constant: granularity },
    ts: { numbers: ts },
    close_at: { numbers: ts.map((ms) => ms + stepMs) },
    open: { numbers: open },
    high: { numbers: high },
    low: { numbers: low },
    close: { numbers: close },
    ts_date: { numbers: ts },
  })
}

/** Columns not given are technical ones of nothing unusual: null. */
function rowsOf(table: string, rowCount: number, columns: ColumnsByName): ArrowTable {
  const spec: TableSpec = tableByName(table)!
  const nulls = spec.columns.map(({ name }) => [name, { constant: null }] as const)
  return tableFromColumns(spec, { ...Object.fromEntries(nulls), ...columns }, rowCount)
}
