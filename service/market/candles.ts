import { DAY_MS } from '../../config/values/duration.ts'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import type { MarketSpec } from './market-spec.ts'
import type { Prices } from './prices.ts'
import { KNOTS_PER_HOUR, knotAt } from './time-grid.ts'

/** Candles of one length. Times are epoch ms; `ts` = start. */
export interface Candles {
  granularity: '30m' | '4h' | '4d'
  ts: Float64Array
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
}

/** Days back for which the source has candles of each length. */
const REACH_DAYS: Readonly<Record<Candles['granularity'], number>> = {
  '30m': 1,
  '4h': 30,
  '4d': 365,
}
/** Candles of these last days are made from every knot, older ones from one knot an hour. */
const FINE_DAYS = REACH_DAYS['4h']

/**
 * Candles of every length, as far back as the source has them. A candle encloses the chart points in its time. With
 * `moving` the last candle is still open.
 */
export function candlesOf(
  spec: MarketSpec,
  prices: Prices,
  coin: MarketCoin,
  vs: Currency,
): Candles[] {
  return (['30m', '4h', '4d'] as const).map((granularity) => {
    const stepMs = GRANULARITY_MS[granularity]
    const fromMs = Math.max(spec.nowMs - REACH_DAYS[granularity] * DAY_MS, coin.listedDay * DAY_MS)
    const starts: number[] = []
    for (
      let startMs = Math.ceil(fromMs / stepMs) * stepMs;
      startMs < spec.nowMs;
      startMs += stepMs
    ) {
      const isClosed = startMs + stepMs <= spec.nowMs
      if (isClosed || spec.moving !== false) starts.push(startMs)
    }
    const candles = emptyCandles(granularity, starts)
    starts.forEach((startMs, index) => {
      const endMs = Math.min(startMs + stepMs, spec.nowMs)
      fillCandle(candles, index, endMs, spec, (knot) => prices.price(coin, vs, knot))
    })
    return candles
  })
}

function emptyCandles(granularity: Candles['granularity'], starts: readonly number[]): Candles {
  const column = (): Float64Array => new Float64Array(starts.length)
  const ts = Float64Array.from(starts)
  return { granularity, ts, open: column(), high: column(), low: column(), close: column() }
}

function fillCandle(
  candles: Candles,
  index: number,
  endMs: number,
  spec: MarketSpec,
  priceAt: (knot: number) => number,
): void {
  const firstKnot = knotAt(candles.ts[index]!)
  const lastKnot = knotAt(endMs)
  const fineFrom = knotAt(spec.nowMs - FINE_DAYS * DAY_MS)
  const open = priceAt(firstKnot)
  let high = open
  let low = open
  for (let knot = firstKnot; knot <= lastKnot; knot += knot < fineFrom ? KNOTS_PER_HOUR : 1) {
    const price = priceAt(knot)
    high = Math.max(high, price)
    low = Math.min(low, price)
  }
  candles.open[index] = open
  candles.high[index] = high
  candles.low[index] = low
  candles.close[index] = priceAt(lastKnot)
}
