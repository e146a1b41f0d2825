import type { WantedInterval } from '../../plan/wanted-coverage.ts'

const THERE: ReadonlySet<WantedInterval['state']> = new Set(['verified', 'empty', 'provisional'])

/**
 * By dataset, the covered part of the wanted time of all its series, 0 to 1. Unreachable history, and slices with
 * quarantined rows, count as wanted and not covered.
 */
export function coverageShares(intervals: readonly WantedInterval[]): Record<string, number> {
  const sums = new Map<string, { thereMs: number; wantedMs: number }>()
  for (const { dataset, state, fromMs, toMs } of intervals) {
    const sum = sums.get(dataset) ?? { thereMs: 0, wantedMs: 0 }
    sums.set(dataset, sum)
    sum.wantedMs += toMs - fromMs
    if (THERE.has(state)) sum.thereMs += toMs - fromMs
  }
  return Object.fromEntries(
    [...sums].map(([dataset, { thereMs, wantedMs }]) => [
      dataset,
      wantedMs === 0 ? 1 : thereMs / wantedMs,
    ]),
  )
}
