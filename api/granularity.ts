import { parseDurationMs } from '../config/values/duration.ts'
import { GRANULARITIES, type Granularity } from '../config/dataset-shape.ts'

export type { Granularity } from '../config/dataset-shape.ts'

/** Usual distance of two neighbouring points, in ms. Real series jitter around it. */
export const GRANULARITY_MS = Object.fromEntries(
  GRANULARITIES.map((granularity) => [granularity, parseDurationMs(granularity)]),
) as Readonly<Record<Granularity, number>>

/** Longest chart with hourly points, in days, inclusive. */
export const MAX_HOURLY_DAYS = 90

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

/** Start of the step that holds `ms`. Steps count from the epoch, 1970-01-01T00:00Z. */
export function floorTo(ms: number, granularity: Granularity): number {
  const stepMs = GRANULARITY_MS[granularity]
  return Math.floor(ms / stepMs) * stepMs
}
