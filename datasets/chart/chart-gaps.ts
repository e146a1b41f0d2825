import { SECOND_MS } from '../../config/values/duration.ts'
import { ascending } from '../../api/ascending.ts'
import { floorTo, GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import type { PageContext, PageTables } from '../dataset.ts'

/** A longer gap is recorded. Shorter gaps are normal in real series. */
const MAX_GAP_STEPS = 24

/**
 * The gaps of a chart (points in epoch ms, any order): more than MAX_GAP_STEPS steps without a point. A gap at an end
 * of the range counts too. The coin may not have been listed then.
 */
export function chartGaps(
  timesMs: Float64Array,
  { slice, step: { params } }: PageContext,
): NonNullable<PageTables['gaps']> {
  const granularity = slice.granularity as Granularity
  const stepMs = GRANULARITY_MS[granularity]
  // A request by days has no `from` and `to`.
  const fromMs = Number(params['from'] ?? -Infinity) * SECOND_MS
  const toMs = Number(params['to'] ?? Infinity) * SECOND_MS
  const asked = { fromMs: Math.max(fromMs, slice.fromMs), toMs: Math.min(toMs, slice.toMs) }
  const gaps: { fromMs: number; toMs: number }[] = []
  let seenToMs = asked.fromMs
  const noteGapBefore = (nextMs: number): void => {
    if (nextMs - seenToMs > MAX_GAP_STEPS * stepMs) gaps.push({ fromMs: seenToMs, toMs: nextMs })
  }
  for (const ms of ascending(timesMs)) {
    if (ms < asked.fromMs || ms >= asked.toMs) continue
    const bucketMs = floorTo(ms, granularity)
    noteGapBefore(bucketMs)
    seenToMs = bucketMs + stepMs
  }
  noteGapBefore(asked.toMs)
  return gaps
}
