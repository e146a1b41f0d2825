import { DAY_MS } from '../../config/values/duration.ts'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { stream, uniform, wholeBelow } from './random.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { MarketSpec } from './market-spec.ts'
import { knotAt } from './time-grid.ts'

/** The points of one series: their publication times, and the knots of their prices. */
export interface SeriesTimes {
  granularity: '5m' | '1h' | '1d'
  ts: Float64Array
  knots: Float64Array
}

/** Hourly points come up to 3 minutes after the hour, one in 200 up to 25 minutes. */
const HOUR_JITTER_MS = 180_000
const LATE_JITTER_MS = 1_500_000
const LATE_ONE_IN = 200
/** 5-minute points come up to 100 seconds late. */
const FIVE_MINUTE_JITTER_MS = 100_000
const NO_JITTER_MS = 0

/**
 * The times of a coin's points, oldest first, from its listing on. With `moving` a series ends with a point at "now", in
 * whole seconds as real ones do.
 */
export function seriesTimes(spec: MarketSpec, coin: MarketCoin): SeriesTimes[] {
  const series = [
    timesOf(spec, coin, '1d', spec.dailyDays, NO_JITTER_MS),
    timesOf(spec, coin, '1h', spec.hourlyDays, HOUR_JITTER_MS),
  ]
  if (spec.fiveMinute !== false) series.push(timesOf(spec, coin, '5m', 1, FIVE_MINUTE_JITTER_MS))
  return series.filter((times) => times.ts.length > 0)
}

function timesOf(
  spec: MarketSpec,
  coin: MarketCoin,
  granularity: '5m' | '1h' | '1d',
  days: number,
  jitterMs: number,
): SeriesTimes {
  if (days === 0) return { granularity, ts: new Float64Array(), knots: new Float64Array() }
  const stepMs = GRANULARITY_MS[granularity]
  const random = stream(spec.seed, `jitter ${granularity}`, coin.index)
  const fromMs = Math.max(spec.nowMs - days * DAY_MS, coin.listedDay * DAY_MS)
  const lateMs = granularity === '1d' ? (spec.dailyLateMs ?? 0) : 0
  const ts: number[] = []
  const knots: number[] = []
  const nowSecondMs = Math.floor(spec.nowMs / 1_000) * 1_000
  for (let step = Math.ceil(fromMs / stepMs); step * stepMs <= spec.nowMs; step++) {
    const atMs = step * stepMs + jitterOf(random, step, jitterMs)
    // An unpublished point appears at a later `nowMs`, with the same time.
    if (atMs + lateMs > spec.nowMs) break
    ts.push(atMs)
    knots.push(knotAt(step * stepMs))
  }
  if (spec.moving !== false && nowSecondMs > (ts.at(-1) ?? 0)) {
    ts.push(nowSecondMs)
    knots.push(knotAt(spec.nowMs))
  }
  return { granularity, ts: Float64Array.from(ts), knots: Float64Array.from(knots) }
}

function jitterOf(random: number, step: number, jitterMs: number): number {
  if (jitterMs === NO_JITTER_MS) return 0
  const isLate = jitterMs === HOUR_JITTER_MS && uniform(random, -step) * LATE_ONE_IN < 1
  return wholeBelow(random, step, isLate ? LATE_JITTER_MS : jitterMs)
}
