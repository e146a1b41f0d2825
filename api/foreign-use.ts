import type { CallLog } from './call-log.ts'
import type { RateState } from './rate-headers.ts'

/** Calls of somebody else under the same key, as `remaining` betrays them. */
export interface ForeignUse {
  /** @param share calls of a window that are ours, of `state.limit`; null = not known */
  answered(state: RateState, share: number | null, nowMs: number): void
  /** How many calls of each window to leave to others; 0 when nobody else was seen lately. */
  calls(nowMs: number): number
  /** Calls of the free ones that are left over, so that the other is not refused; 0 as above. */
  reserve(nowMs: number): number
  /** Whether all that the newest answer counts may be our own: then our own count is enough. */
  isExplained(): boolean
}

/** A call more or less is the order in which answers come. */
const NOISE_CALLS = 2
/** Part of the window that stays free beside another user: his next calls are not known. */
const ROOM = 1 / 50
/** Whoever was seen in a window is looked for in the next: until its end somewhat more than a window. */
const KEEP_WINDOWS = 1.25
/** Whole seconds of a reset may shift the start of a window by one; a fifth of a short window. */
const MAX_ROUNDING_MS = 1_000

/**
 * What is missing from the window and was not used by us was used by another. In the first window of
 * a process this may be its own earlier life, which does not come again: `remaining` itself is heeded
 * then, and nothing is kept for the next window.
 */
export function createForeignUse(log: CallLog): ForeignUse {
  let firstAtMs = Infinity
  let kept = 0
  let room = 0
  let isExplained = false
  let keptUntilMs = -Infinity
  return {
    answered(state, share, nowMs) {
      firstAtMs = Math.min(firstAtMs, nowMs)
      const { remaining, windowMs, resetAtMs } = state
      isExplained = false
      if (remaining === null || windowMs === null || resetAtMs === null || share === null) return
      const roundingMs = Math.min(MAX_ROUNDING_MS, windowMs / 5)
      const startMs = Math.min(nowMs, resetAtMs) - windowMs - roundingMs
      const seen = share - remaining - log.countSince(startMs)
      isExplained = seen <= 0
      if (seen < NOISE_CALLS || nowMs - firstAtMs < windowMs * KEEP_WINDOWS) return
      if (nowMs < keptUntilMs && seen < kept) return
      kept = seen
      room = Math.ceil(share * ROOM)
      keptUntilMs = nowMs + windowMs * KEEP_WINDOWS
    },
    calls: (nowMs) => (nowMs < keptUntilMs ? kept : 0),
    reserve: (nowMs) => (nowMs < keptUntilMs ? room : 0),
    isExplained: () => isExplained,
  }
}
