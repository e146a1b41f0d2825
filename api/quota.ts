import type { RateState } from './rate-headers.ts'

/** What is known of the key's budget, as the pacer needs it. Times are epoch ms; no timers, no clock. */
export interface Quota {
  /** Shortest distance of two requests in ms; 0 = not known. */
  intervalMs(): number
  /** Whether a request may leave now, apart from its distance to the last one. */
  gate(nowMs: number): Gate
  take(): void
  answered(rate: RateState | null, nowMs: number): void
  abandoned(): void
  block(untilMs: number, nowMs: number): void
}

export interface Gate {
  /** Nobody leaves before; at or before now when nothing blocks. */
  blockedUntilMs: number
  /** Nobody leaves before a request in flight has ended, or this time has come; null = no need to wait. */
  awaitsAnswerUntilMs: number | null
}

/** Longest wait that a source can impose on us; after it one request asks again. */
export const MAX_BLOCK_MS = 15 * 60_000
/** How long we wait when the source says "no more" without saying until when. */
export const DEFAULT_BLOCK_MS = 60_000
/** Quotas of longer windows (a day, a month) are not spread out: they only stop us when used up. */
const MAX_PACED_WINDOW_MS = 3_600_000
/** Two answers speak of the same window when their resets lie closer: whole seconds jitter by one. */
const SAME_WINDOW_MS = 1_500

/** Budget with the rate that was configured (null = learned from headers). */
export function createQuota(rate: { calls: number; perMs: number } | null): Quota {
  const configuredMs = rate === null ? 0 : rate.perMs / rate.calls
  let learnedMs = 0
  /** Calls of a window; Infinity while not told. */
  let limit = Infinity
  let inFlight = 0
  let blockedUntilMs = -Infinity
  /** One request at a time: nothing is known yet, or a block has just ended. */
  let isProbing = rate === null
  /** The newest word on the running window; null when there is none, or it is over. */
  let window: { remaining: number; firstResetAtMs: number; resetAtMs: number } | null = null

  function learnRate(state: RateState): void {
    if (state.limit === null || state.limit <= 0) return
    limit = state.limit
    if (state.windowMs === null || state.windowMs > MAX_PACED_WINDOW_MS) return
    learnedMs = state.windowMs / state.limit
  }

  function learnWindow(state: RateState, nowMs: number): void {
    if (state.remaining === null) return
    const resetAtMs = Math.min(state.resetAtMs ?? nowMs + DEFAULT_BLOCK_MS, nowMs + MAX_BLOCK_MS)
    const jitterMs = Math.min(SAME_WINDOW_MS, (state.windowMs ?? Infinity) / 2)
    if (window === null || resetAtMs > window.firstResetAtMs + jitterMs) {
      window = { remaining: state.remaining, firstResetAtMs: resetAtMs, resetAtMs }
    } else if (resetAtMs >= window.firstResetAtMs - jitterMs) {
      // Answers overtake each other; within a window what remains only shrinks.
      window.remaining = Math.min(window.remaining, state.remaining)
      window.resetAtMs = Math.max(window.resetAtMs, resetAtMs)
    }
  }

  function forgetEndedWindow(nowMs: number): void {
    if (window === null || nowMs < window.resetAtMs) return
    if (window.remaining <= 0) isProbing = true
    window = null
  }

  /** Calls left as far as told; once a window is over, what is under way may all fall into the next. */
  function left(): number {
    return (window?.remaining ?? limit) - inFlight
  }

  return {
    intervalMs: () => Math.max(configuredMs, learnedMs),
    gate(nowMs) {
      forgetEndedWindow(nowMs)
      const probeMs = isProbing && inFlight > 0 ? Infinity : null
      if (left() > 0) return { blockedUntilMs, awaitsAnswerUntilMs: probeMs }
      // What is in flight may or may not be counted in `remaining`: its answers will tell.
      if (window === null || inFlight > 0) {
        return { blockedUntilMs, awaitsAnswerUntilMs: probeMs ?? window?.resetAtMs ?? Infinity }
      }
      return {
        blockedUntilMs: Math.max(blockedUntilMs, window.resetAtMs),
        awaitsAnswerUntilMs: null,
      }
    },
    take() {
      inFlight++
    },
    answered(state, nowMs) {
      inFlight = Math.max(0, inFlight - 1)
      if (nowMs >= blockedUntilMs) isProbing = false
      if (state === null) return
      learnRate(state)
      learnWindow(state, nowMs)
    },
    abandoned() {
      inFlight = Math.max(0, inFlight - 1)
    },
    block(untilMs, nowMs) {
      blockedUntilMs = Math.max(blockedUntilMs, Math.min(untilMs, nowMs + MAX_BLOCK_MS))
      isProbing = true
    },
  }
}
