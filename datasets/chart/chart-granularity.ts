import { floorTo, type Granularity } from '../../api/granularity.ts'
import { measureGranularity } from '../../api/measure-granularity.ts'
import { DAYS_CHART_STEPS } from '../../api/step-rules.ts'
import type { Slice } from '../dataset.ts'

/** Daily points are at 00:00 UTC. A few points of old years are minutes later. */
const MIDNIGHT_TOLERANCE_MS = 15 * 60_000

/**
 * The granularity of a chart answer; null: unknown. Points a day apart are daily in a daily slice, or when most of them
 * are at midnight.
 */
export function chartGranularityOf(
  timesMs: Float64Array,
  wanted: Slice['granularity'],
): Granularity | null {
  const measured = measureGranularity(timesMs, DAYS_CHART_STEPS)
  if (measured !== '1d' || wanted === '1d') return measured
  const atMidnight = timesMs.filter((ms) => ms - floorTo(ms, '1d') <= MIDNIGHT_TOLERANCE_MS)
  return atMidnight.length * 2 > timesMs.length ? '1d' : '1h'
}
