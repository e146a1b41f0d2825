import type { CallLog } from './call-log.ts'
import type { RateState } from './rate-headers.ts'
import { DEFAULT_BLOCK_MS, MAX_IMPOSED_WAIT_MS } from './imposed-waits.ts'

/** Resets closer than this belong to the same window, because whole seconds jitter by one. */
export const SAME_WINDOW_MS = 1_500
export const NO_WAIT = { blockedUntilMs: -Infinity, awaitsAnswerUntilMs: -Infinity }

/**
 * Follows Remaining and Reset. A fixed window ends at its reset; until then Remaining only shrinks. In a sliding window
 * the reset moves on by less than half a window. Each own call that leaves the window makes room.
 */
export function createToldWindow(log: CallLog) {
  /** Calls of a window; Infinity: not reported. */
  let limit = Infinity
  let isSliding = false
  /** The first reported reset of the newest window, even if that window is over. */
  let newestFirstResetAtMs = -Infinity
  let window: {
    remaining: number
    firstResetAtMs: number
    resetAtMs: number
    toldAtMs: number
    perMs: number | null
  } | null = null

  function learnKind(resetAtMs: number, windowMs: number | null): void {
    const creptMs = resetAtMs - newestFirstResetAtMs
    if (creptMs > SAME_WINDOW_MS && creptMs < (windowMs ?? 0) / 2) isSliding = true
  }

  function roomOfSliding(nowMs: number): number {
    const { remaining, toldAtMs, perMs } = window!
    const ownLeft = perMs === null ? 0 : log.settledBetween(toldAtMs - perMs, nowMs - perMs)
    return remaining + ownLeft - log.inFlight()
  }

  /** When the oldest own call leaves the sliding window and makes room. */
  function oldestLeavesMs(perMs: number | null, nowMs: number): number {
    if (perMs === null) return Infinity
    return log.freeAtMs(Math.max(1, log.countSince(nowMs - perMs)), perMs, nowMs)
  }

  return {
    answered(state: RateState, nowMs: number): void {
      if (state.limit !== null && state.limit > 0) limit = state.limit
      if (state.remaining === null) return
      const { remaining, windowMs } = state
      const resetAtMs = Math.min(
        state.resetAtMs ?? nowMs + DEFAULT_BLOCK_MS,
        nowMs + MAX_IMPOSED_WAIT_MS,
      )
      const jitterMs = Math.min(SAME_WINDOW_MS, (windowMs ?? Infinity) / 2)
      learnKind(resetAtMs, windowMs)
      if (window === null || isSliding || resetAtMs > window.firstResetAtMs + jitterMs) {
        const times = { firstResetAtMs: resetAtMs, resetAtMs, toldAtMs: nowMs }
        window = { ...times, remaining, perMs: windowMs }
      } else if (resetAtMs >= window.firstResetAtMs - jitterMs) {
        // Answers overtake each other, but within a window the remaining calls only shrink.
        window.remaining = Math.min(window.remaining, remaining)
        window.resetAtMs = Math.max(window.resetAtMs, resetAtMs)
      }
      newestFirstResetAtMs = window.firstResetAtMs
    },
    gate(nowMs: number): typeof NO_WAIT {
      if (window !== null) {
        // After a clock was set back, the reset would lie at the old time.
        const latestMs = nowMs + MAX_IMPOSED_WAIT_MS
        window.resetAtMs = Math.min(window.resetAtMs, latestMs)
        window.firstResetAtMs = Math.min(window.firstResetAtMs, latestMs)
      }
      if (window !== null && nowMs >= window.resetAtMs) window = null
      if (window !== null && isSliding) {
        if (roomOfSliding(nowMs) > 0) return NO_WAIT
        const untilMs = Math.min(window.resetAtMs, oldestLeavesMs(window.perMs, nowMs))
        if (log.inFlight() === 0) return { ...NO_WAIT, blockedUntilMs: untilMs }
        return { ...NO_WAIT, awaitsAnswerUntilMs: untilMs }
      }
      const room = (window?.remaining ?? limit) - log.inFlight()
      if (room > 0) return NO_WAIT
      // `remaining` may or may not count the calls in flight. Their answers will show.
      if (window === null || log.inFlight() > 0) {
        return { ...NO_WAIT, awaitsAnswerUntilMs: window?.resetAtMs ?? Infinity }
      }
      return { ...NO_WAIT, blockedUntilMs: window.resetAtMs }
    },
  }
}
