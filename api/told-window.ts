import type { CallLog } from './call-log.ts'
import type { RateState } from './rate-headers.ts'
import { DEFAULT_BLOCK_MS, MAX_BLOCK_MS } from './block-times.ts'

/** What the headers say of the running window. */
export interface ToldWindow {
  answered(state: RateState, nowMs: number): void
  /** A call of our own ended without an answer: it may have been counted. */
  abandoned(): void
  /** The running window where windows are known to be fixed: its end as it was first told, and our answers in it. */
  fixed(): { endsAtMs: number; ownCalls: number } | null
  /** Forgets a window that is over. @returns whether it had been used up to the last call. */
  forgetEnded(nowMs: number): boolean
  /** @param reserve calls that are left to another user of the key. */
  gate(
    nowMs: number,
    reserve: number,
  ): { blockedUntilMs: number; awaitsAnswerUntilMs: number | null }
}

/** Two answers speak of the same window when their resets lie closer: whole seconds jitter by one. */
export const SAME_WINDOW_MS = 1_500

/**
 * Follows Remaining and Reset. A fixed window ends at its reset, and what remains only shrinks until
 * then; windows are known to be fixed when a reset jumps by a whole one in mid-work. A reset that
 * creeps on by less than half a window is that of a sliding window: it says when the oldest call
 * leaves, and room comes with each call of our own that leaves.
 */
export function createToldWindow(log: CallLog): ToldWindow {
  /** Calls of a window; Infinity while not told. */
  let limit = Infinity
  let isSliding = false
  let isFixed = false
  let lastToldAtMs = -Infinity
  /** Of the newest window, also when it is over, as it was told first. */
  let lastResetAtMs = -Infinity
  let window: {
    remaining: number
    firstResetAtMs: number
    resetAtMs: number
    toldAtMs: number
    perMs: number | null
    ownCalls: number
  } | null = null

  function learnKind(resetAtMs: number, windowMs: number | null, nowMs: number): void {
    if (windowMs === null) return
    const creptMs = resetAtMs - lastResetAtMs
    const isBusy = nowMs - lastToldAtMs < windowMs / 2
    lastToldAtMs = nowMs
    if (windowMs <= 2 * SAME_WINDOW_MS) return
    if (creptMs > SAME_WINDOW_MS && creptMs < windowMs / 2) isSliding = true
    if (creptMs > windowMs - SAME_WINDOW_MS && creptMs < Infinity && isBusy) isFixed = true
  }

  function roomOfSliding(nowMs: number, reserve: number): number {
    const { remaining, toldAtMs, perMs } = window!
    const left = perMs === null ? 0 : log.settledBetween(toldAtMs - perMs, nowMs - perMs)
    return remaining + left - log.inFlight() - reserve
  }

  return {
    answered(state, nowMs) {
      if (state.limit !== null && state.limit > 0) limit = state.limit
      if (state.remaining === null) return
      const { remaining, windowMs } = state
      const resetAtMs = Math.min(state.resetAtMs ?? nowMs + DEFAULT_BLOCK_MS, nowMs + MAX_BLOCK_MS)
      const jitterMs = Math.min(SAME_WINDOW_MS, (windowMs ?? Infinity) / 2)
      learnKind(resetAtMs, windowMs, nowMs)
      const told = { firstResetAtMs: resetAtMs, resetAtMs, toldAtMs: nowMs }
      const news = { ...told, remaining, ownCalls: 1 }
      if (isSliding) {
        window = { ...news, perMs: windowMs }
      } else if (window === null || resetAtMs > window.firstResetAtMs + jitterMs) {
        window = { ...news, perMs: windowMs }
      } else if (resetAtMs >= window.firstResetAtMs - jitterMs) {
        // Answers overtake each other; within a window what remains only shrinks.
        window.remaining = Math.min(window.remaining, remaining)
        window.resetAtMs = Math.max(window.resetAtMs, resetAtMs)
        window.ownCalls++
      }
      lastResetAtMs = window.firstResetAtMs
    },
    abandoned() {
      if (window !== null) window.ownCalls++
    },
    fixed() {
      if (window === null || isSliding || !isFixed) return null
      return { endsAtMs: window.firstResetAtMs, ownCalls: window.ownCalls }
    },
    forgetEnded(nowMs) {
      if (window === null || nowMs < window.resetAtMs) return false
      const isUsedUp = window.remaining <= 0 && !isSliding
      window = null
      return isUsedUp
    },
    gate(nowMs, reserve) {
      const free = { blockedUntilMs: -Infinity, awaitsAnswerUntilMs: null }
      if (window !== null && isSliding) {
        if (roomOfSliding(nowMs, reserve) > 0) return free
        // Room comes with our own calls that leave, or at the reset.
        const leavesMs =
          window.perMs === null ? Infinity : log.freeAtMs(nextToLeave(), window.perMs, nowMs)
        const untilMs = Math.min(window.resetAtMs, leavesMs)
        if (log.inFlight() === 0) return { blockedUntilMs: untilMs, awaitsAnswerUntilMs: null }
        return { blockedUntilMs: -Infinity, awaitsAnswerUntilMs: untilMs }
      }
      const left = (window?.remaining ?? limit) - log.inFlight() - (window === null ? 0 : reserve)
      if (left > 0) return free
      // What is in flight may or may not be counted in `remaining`: its answers will tell.
      if (window === null || log.inFlight() > 0) {
        return { blockedUntilMs: -Infinity, awaitsAnswerUntilMs: window?.resetAtMs ?? Infinity }
      }
      return { blockedUntilMs: window.resetAtMs, awaitsAnswerUntilMs: null }

      /** Our calls that weigh now: one less is when the oldest of them has left. */
      function nextToLeave(): number {
        return Math.max(1, log.countSince(nowMs - (window?.perMs ?? 0)))
      }
    },
  }
}
