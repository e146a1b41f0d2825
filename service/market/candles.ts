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
  const fineFrom = knotAt(spec.nowMs - FINE_DAYS * DAY_MS)
  const priceAt = (knot: number): number => prices.price(coin, vs, knot)
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
    const candles = starts.map((startMs) => {
      const endMs = Math.min(startMs + stepMs, spec.nowMs)
      return candleOf(knotAt(startMs), knotAt(endMs), fineFrom, priceAt)
    })
    const column = (figure: keyof Candle): Float64Array =>
      Float64Array.from(candles, (candle) => candle[figure])
    return {
      granularity,
      ts: Float64Array.from(starts),
      open: column('open'),
      high: column('high'),
      low: column('low'),
      close: column('close'),
    }
  })
}

type Candle = Record<'open' | 'high' | 'low' | 'close', number>

function candleOf(
  firstKnot: number,
  lastKnot: number,
  fineFrom: number,
  priceAt: (knot: number) => number,
): Candle {
  const open = priceAt(firstKnot)
  let high = open
  let low = open
  for (let knot = firstKnot; knot <= lastKnot; knot += knot < fineFrom ? KNOTS_PER_HOUR : 1) {
    const price = priceAt(knot)
    high = Math.max(high, price)
    low = Math.min(low, price)
  }
  return { open, high, low, close: priceAt(lastKnot) }
}
