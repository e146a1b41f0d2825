import { floorTo, GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import { measureGranularity } from '../../api/measure-granularity.ts'
import type { Slice } from '../dataset.ts'

/** Daily points are at 00:00 UTC. A few points of old years are minutes later. */
const MIDNIGHT_TOLERANCE_MS = 15 * 60_000

/**
 * The granularity of a chart answer; null: unknown. Charts have only 5-minute, hourly and daily points. A distance
 * between those is a sparse series of a coin that hardly trades. Points a day apart are daily in a daily slice, or when
 * most of them are at midnight.
 */
export function chartGranularityOf(
  timesMs: Float64Array,
  wanted: Slice['granularity'],
): Granularity | null {
  const measured = measureGranularity(timesMs)
  if (measured === null || measured === '5m' || measured === '1h') return measured
  if (measured === '10m' || (measured === '30m' && wanted === '5m')) return '5m'
  if (GRANULARITY_MS[measured] < GRANULARITY_MS['1d']) return '1h'
  if (wanted === '1d') return '1d'
  const atMidnight = timesMs.filter((ms) => ms - floorTo(ms, '1d') <= MIDNIGHT_TOLERANCE_MS)
  return atMidnight.length * 2 > timesMs.length ? '1d' : '1h'
}
