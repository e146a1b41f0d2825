import { GRANULARITY_MS, floorTo } from '../../api/granularity.ts'
import { tableByName } from '../../datasets/index.ts'
import { candlesOf } from './candles.ts'
import type { Candles } from './candles.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import type { MarketBatch } from './write-batches.ts'
import { tokensOf } from './market.ts'
import type { Market, MarketToken } from './market.ts'
import { createSeriesBatch } from './series-batch.ts'
import type { SeriesPart } from './series-batch.ts'
import { seriesTimes } from './series-times.ts'
import type { SeriesTimes } from './series-times.ts'

/** Datasets whose rows are written column by column, not by `toTables`: a test then sees a `toTables` that mixes them up. */
export const SERIES_DATASETS: ReadonlySet<string> = new Set([
  'market_chart',
  'token_market_chart',
  'ohlc',
])

/** A batch of series is written from this many rows on: some tens of MB at most. */
const BATCH_ROWS = 60_000

/** The wanted series of one coin. */
export interface SeriesWanted {
  coin: MarketCoin
  /** Names from `SERIES_DATASETS`. */
  datasets: ReadonlySet<string>
  /** Contracts for token_market_chart. */
  tokens: readonly MarketToken[]
}

/** Charts and candles in batches of bounded size. @param wanted default: all series of every coin */
export function* seriesBatches(
  market: Market,
  wanted: Iterable<SeriesWanted> = everySeries(market),
): Generator<MarketBatch> {
  const batches = [...SERIES_DATASETS].flatMap((name) => {
    const spec = tableByName(name)
    return spec === undefined ? [] : [{ table: name, batch: createSeriesBatch(spec) }]
  })
  const add = (table: string, part: SeriesPart): void =>
    batches.find((one) => one.table === table)?.batch.add(part)
  for (const { coin, datasets, tokens } of wanted) {
    const hasCharts = datasets.has('market_chart') || tokens.length > 0
    for (const vs of market.currencies) {
      for (const times of hasCharts ? seriesTimes(market.spec, coin) : []) {
        const part = chartPart(market, coin, vs, times)
        if (datasets.has('market_chart')) add('market_chart', part)
        for (const token of tokens) add('token_market_chart', tokenPart(token, part))
      }
      if (!datasets.has('ohlc')) continue
      for (const candles of candlesOf(market.spec, market.prices, coin, vs)) {
        add('ohlc', candlePart(coin, vs, candles))
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

function everySeries({ coins }: Market): SeriesWanted[] {
  return coins.map((coin) => ({ coin, datasets: SERIES_DATASETS, tokens: tokensOf(coin) }))
}

/** The chart of a contract: that of its coin under another name. */
function tokenPart({ platformId, contractAddress }: MarketToken, part: SeriesPart): SeriesPart {
  const { coin_id: _, ...texts } = part.texts
  const names = { platform_id: platformId, contract_address: contractAddress }
  return { ...part, texts: { ...texts, ...names } }
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
