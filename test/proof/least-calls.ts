import { DAY_MS } from '../../config/values/duration.ts'
import type { Slice } from '../../datasets/dataset.ts'

/** The longest stretch that one answer of the interface has: hourly points of 90 days, one calendar day. */
const REACH_MS: Readonly<Record<string, number>> = {
  market_chart: 90 * DAY_MS,
  coin_history: DAY_MS,
}

/**
 * The least calls that bring these slices, whatever plans them: in each series, from the left, an
 * answer that begins at the first moment that is still missing. No cover has fewer: each of these
 * beginnings lies further from the one before than an answer reaches.
 */
export function leastCalls(slices: readonly Slice[]): number {
  const series = Map.groupBy(slices, ({ dataset, entity, vsCurrency }) =>
    JSON.stringify([dataset, entity, vsCurrency]),
  )
  let calls = 0
  for (const holes of series.values()) {
    const reachMs = REACH_MS[holes[0]!.dataset]
    if (reachMs === undefined)
      throw new RangeError(`nobody said how far ${holes[0]!.dataset} reaches`)
    let reachedMs = -Infinity
    for (const { fromMs, toMs } of holes.toSorted((a, b) => a.fromMs - b.fromMs)) {
      reachedMs = Math.max(reachedMs, fromMs)
      while (reachedMs < toMs) {
        calls += 1
        reachedMs += reachMs
      }
    }
  }
  return calls
}
