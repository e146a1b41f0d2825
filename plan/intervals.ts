/** Half-open stretch of time [fromMs, toMs) in UTC epoch ms; empty when toMs <= fromMs. */
export interface Interval {
  fromMs: number
  toMs: number
}

/** The same instants as sorted, disjoint, non-touching, non-empty intervals: the normal form. */
export function merge(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals
    .filter((interval) => interval.fromMs < interval.toMs)
    .sort((a, b) => a.fromMs - b.fromMs)
  const merged: Interval[] = []
  for (const { fromMs, toMs } of sorted) {
    const last = merged.at(-1)
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else merged.push({ fromMs, toMs })
  }
  return merged
}

/** Instants of `from` that are not in `minus`, in normal form. Neither needs to be sorted. */
export function subtract(from: readonly Interval[], minus: readonly Interval[]): Interval[] {
  const gaps: Interval[] = []
  const cuts = merge(minus)
  let nextCut = 0
  for (const { fromMs, toMs } of merge(from)) {
    let startMs = fromMs
    while ((cuts[nextCut]?.toMs ?? Infinity) <= startMs) nextCut++
    for (let i = nextCut; i < cuts.length; i++) {
      const cut = cuts[i]
      if (cut === undefined || cut.fromMs >= toMs) break
      if (cut.fromMs > startMs) gaps.push({ fromMs: startMs, toMs: cut.fromMs })
      startMs = Math.max(startMs, cut.toMs)
    }
    if (startMs < toMs) gaps.push({ fromMs: startMs, toMs })
  }
  return gaps
}

/** Instants that lie in both, in normal form. */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const left = merge(a)
  const right = merge(b)
  const common: Interval[] = []
  let i = 0
  let j = 0
  while (true) {
    const x = left[i]
    const y = right[j]
    if (x === undefined || y === undefined) return common
    const fromMs = Math.max(x.fromMs, y.fromMs)
    const toMs = Math.min(x.toMs, y.toMs)
    if (fromMs < toMs) common.push({ fromMs, toMs })
    if (x.toMs < y.toMs) i++
    else j++
  }
}

/** The parts of `intervals` within `bounds`, in normal form. */
export function clip(intervals: readonly Interval[], bounds: Interval): Interval[] {
  return intersect(intervals, [bounds])
}

/** Total length of the intervals in ms; overlaps count for each. */
export function totalMs(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0)
}
