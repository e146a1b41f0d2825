import { DAY_MS } from '../../config/values/duration.ts'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { streamSeed, uniform, wholeBelow } from './random.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { MarketSpec } from './market-spec.ts'
import { knotAt } from './time-grid.ts'

/** The points of one series: their times, and the knots (time-grid.ts) that give their prices. */
export interface SeriesTimes {
  granularity: '5m' | '1h' | '1d'
  ts: Float64Array
  knots: Float64Array
}

type Granularity = SeriesTimes['granularity']

/** A point is at most this long after its step; one hourly point in 200 is up to 25 minutes after it. */
const JITTER_MS: Readonly<Record<Granularity, number>> = { '1d': 0, '1h': 180_000, '5m': 100_000 }
const LATE_JITTER_MS = 1_500_000
const LATE_ONE_IN = 200

/**
 * The times of a coin's points, oldest first, from its listing on. With `moving` a series ends with a point at "now", in
 * whole seconds as real ones do.
 */
export function seriesTimes(spec: MarketSpec, coin: MarketCoin): SeriesTimes[] {
  const days = {
    '1d': spec.dailyDays,
    '1h': spec.hourlyDays,
    '5m': spec.fiveMinute === false ? 0 : 1,
  }
  return (['1d', '1h', '5m'] as const)
    .filter((granularity) => days[granularity] > 0)
    .map((granularity) => timesOf(spec, coin, granularity, days[granularity]))
    .filter(({ ts }) => ts.length > 0)
}

function timesOf(
  spec: MarketSpec,
  coin: MarketCoin,
  granularity: Granularity,
  days: number,
): SeriesTimes {
  const stepMs = GRANULARITY_MS[granularity]
  const random = streamSeed(spec.seed, `jitter ${granularity}`, coin.index)
  const fromMs = Math.max(spec.nowMs - days * DAY_MS, coin.listedDay * DAY_MS)
  const lateMs = granularity === '1d' ? (spec.dailyLateMs ?? 0) : 0
  const ts: number[] = []
  const knots: number[] = []
  const nowSecondMs = Math.floor(spec.nowMs / 1_000) * 1_000
  for (let step = Math.ceil(fromMs / stepMs); step * stepMs <= spec.nowMs; step++) {
    const atMs = step * stepMs + jitterOf(random, step, granularity)
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

function jitterOf(random: number, step: number, granularity: Granularity): number {
  const isLate = granularity === '1h' && uniform(random, -step) * LATE_ONE_IN < 1
  return wholeBelow(random, step, isLate ? LATE_JITTER_MS : JITTER_MS[granularity])
}
