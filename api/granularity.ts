/** Stored granularities. The config knows 1h and 1d also as `hourly` and `daily`. */
export type Granularity = '5m' | '10m' | '30m' | '1h' | '4h' | '1d' | '4d'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Usual distance of two neighbouring points, in ms. Real series jitter around it. */
export const GRANULARITY_MS: Readonly<Record<Granularity, number>> = {
  '5m': 5 * MINUTE_MS,
  '10m': 10 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
  '4d': 4 * DAY_MS,
}

/** Longest chart with 5-minute points, in days. Such a chart must also end now. */
export const MAX_FIVE_MINUTE_DAYS = 1
/** Longest chart with hourly points, in days, inclusive. */
export const MAX_HOURLY_DAYS = 90
/** Longest `days` of OHLC with half-hour candles, and with four-hour candles. */
export const MAX_HALF_HOUR_CANDLE_DAYS = 2
export const MAX_FOUR_HOUR_CANDLE_DAYS = 30

/** A `to` this far back still counts as now: the length of a 5-minute step. */
const NOW_TOLERANCE_MS = GRANULARITY_MS['5m']

/** How long the service may serve the same chart, in seconds. */
export const CHART_CACHE_AGE_S: Readonly<Record<'5m' | '1h' | '1d', number>> = {
  '5m': 30,
  '1h': 1_800,
  '1d': 43_200,
}

/** The granularity of a chart by its `interval` parameter. */
export const CHART_INTERVALS: Readonly<Record<string, '5m' | '1h' | '1d'>> = {
  daily: '1d',
  hourly: '1h',
  '5m': '5m',
}

/**
 * The granularity of a `market_chart/range` answer without `interval`. The width of the window decides; up to a day,
 * also its end. Bounds in epoch ms, both inclusive.
 */
export function chartGranularity(window: {
  fromMs: number
  toMs: number
  nowMs: number
}): '5m' | '1h' | '1d' {
  const days = (window.toMs - window.fromMs) / DAY_MS
  const endsNow = window.toMs >= window.nowMs - NOW_TOLERANCE_MS
  if (days <= MAX_FIVE_MINUTE_DAYS && endsNow) return '5m'
  return days <= MAX_HOURLY_DAYS ? '1h' : '1d'
}

/** The granularity of a `market_chart` answer without `interval`. */
export function daysGranularity(days: number | 'max'): '5m' | '1h' | '1d' {
  if (days === 'max') return '1d'
  if (days <= MAX_FIVE_MINUTE_DAYS) return '5m'
  return days <= MAX_HOURLY_DAYS ? '1h' : '1d'
}

/** The granularity of an `ohlc` answer without `interval`. */
export function ohlcGranularity(days: number | 'max'): '30m' | '4h' | '4d' {
  if (days === 'max') return '4d'
  if (days <= MAX_HALF_HOUR_CANDLE_DAYS) return '30m'
  return days <= MAX_FOUR_HOUR_CANDLE_DAYS ? '4h' : '4d'
}

/** Start of the step that holds `ms`. Steps count from the epoch, 1970-01-01T00:00Z. */
export function floorTo(ms: number, granularity: Granularity): number {
  const stepMs = GRANULARITY_MS[granularity]
  return Math.floor(ms / stepMs) * stepMs
}
