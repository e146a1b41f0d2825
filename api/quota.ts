import { DEFAULT_BLOCK_MS, MAX_IMPOSED_WAIT_MS } from './imposed-waits.ts'
import { createCallLog } from './call-log.ts'
import type { CallRate, RateState } from './rate-headers.ts'
import { createRateAfterRefusals } from './refused-rate.ts'
import { createToldWindow, NO_WAIT, SAME_WINDOW_MS } from './told-window.ts'

/** The times that the next request waits for, apart from the interval. */
interface Gate {
  /** No call leaves before this time. */
  blockedUntilMs: number
  /** No call leaves before this time: own calls fill the window, or a request in flight must end first. */
  turnAtMs: number
}

/** Longer windows (a day, a month) are not spread out. They block calls only when used up. */
const MAX_PACED_WINDOW_MS = 3_600_000
/** Whole seconds can make a window look longer by this much. */
const MAX_ROUNDING_MS = 1_000
const MAX_ROUNDED_WINDOW_MS = 5_000
const SHORTEST_WINDOW_MS = 1_000

/**
 * The known budget of a key. Times are epoch ms; no timers, no clock.
 *
 * @param rate the configured rate; null: headers tell the rate
 */
export function createQuota(rate: CallRate | null) {
  let learned: CallRate | null = null
  let leased: CallRate | null = null
  const log = createCallLog()
  const toldWindow = createToldWindow(log)
  const afterRefusal = createRateAfterRefusals(log)
  let blockedUntilMs = -Infinity
  /** true: one request at a time, because no rate is known yet or a block has just ended. */
  let isProbing = rate === null
  /** Bounds of a window of some seconds, as own calls and refusals prove them. */
  let longestMs = Infinity
  let shortestMs = SHORTEST_WINDOW_MS
  let firstResetAtMs: number | null = null
  let longestOfFirstMs = 0

  function knownRates(): CallRate[] {
    return [rate, learned, afterRefusal.rate()].filter((one) => one !== null)
  }

  function knownRate(): CallRate | null {
    const [slowest = null] = knownRates().toSorted((a, b) => pace(b) - pace(a))
    return slowest
  }

  function rates(): CallRate[] {
    const known = knownRates()
    if (leased === null) return known
    // This process may learn a longer window before its lease has it. Only the tightest limit counts: leases share it.
    return [...known, { ...leased, perMs: Math.max(leased.perMs, knownRate()?.perMs ?? 0) }]
  }

  /** @param askedAtMs when the answered call left */
  function learnRate(state: RateState, askedAtMs: number): void {
    if (state.limit === null || state.limit <= 0) return
    if (state.windowMs === null || state.windowMs > MAX_PACED_WINDOW_MS) return
    const perMs =
      shorterWindowMs(state, askedAtMs) ?? Math.max(state.windowMs, leftOfFirstMs(state))
    learned = { calls: state.limit, perMs: Math.max(shortestMs, perMs) }
  }

  /**
   * Longest remaining time in the first window; 0 once that window is over. A window of 60 s that is first seen with
   * 31 s left would count as 30 s.
   */
  function leftOfFirstMs({ resetAtMs, windowMs, observedAtMs }: RateState): number {
    if (resetAtMs === null) return longestOfFirstMs
    firstResetAtMs ??= resetAtMs
    if (resetAtMs > firstResetAtMs + Math.min(SAME_WINDOW_MS, (windowMs ?? Infinity) / 2)) {
      longestOfFirstMs = 0
      firstResetAtMs = -Infinity
    } else if (firstResetAtMs !== -Infinity) {
      longestOfFirstMs = Math.max(longestOfFirstMs, resetAtMs - observedAtMs)
    }
    return longestOfFirstMs
  }

  /**
   * A shorter window, if the reported one is too long; else null. Whole seconds can make a window look too long. If it
   * has more own calls than the service counts, even without its first second, the true one is two seconds shorter.
   */
  function shorterWindowMs(state: RateState, askedAtMs: number): number | null {
    const { limit, remaining, resetAtMs } = state
    if (state.windowMs === null || limit === null || resetAtMs === null) return null
    const windowMs = Math.min(state.windowMs, longestMs)
    if (state.windowMs > MAX_ROUNDED_WINDOW_MS || remaining === null) return null
    const own = log.madeBetween(resetAtMs - windowMs + MAX_ROUNDING_MS, askedAtMs) + 1
    if (own > limit - remaining) {
      longestMs = Math.max(SHORTEST_WINDOW_MS, windowMs - 2 * MAX_ROUNDING_MS)
    }
    return longestMs === Infinity ? null : Math.min(windowMs, longestMs)
  }

  /** The time when own calls leave room in every known window. */
  function ownTurnMs(nowMs: number): number {
    const roomMs = rates().map(({ calls, perMs }) =>
      calls === 0
        ? nowMs + DEFAULT_BLOCK_MS // The next lease may bring a share.
        : log.freeAtMs(calls, perMs, nowMs),
    )
    return Math.max(-Infinity, ...roomMs)
  }

  return {
    /** Shortest time between two requests in ms; 0: not known. */
    intervalMs: (): number => Math.max(0, ...rates().map(pace).filter(Number.isFinite)),
    gate(nowMs: number): Gate {
      // After a clock was set back, a wait would last until the old time.
      blockedUntilMs = Math.min(blockedUntilMs, nowMs + MAX_IMPOSED_WAIT_MS)
      const probeMs = isProbing && log.inFlight() > 0 ? Infinity : -Infinity
      const isRounded = learned !== null && learned.perMs <= MAX_ROUNDED_WINDOW_MS
      // Whole seconds report the reset of a short window too late. The own count is more exact.
      const reported = isRounded ? NO_WAIT : toldWindow.gate(nowMs)
      return {
        blockedUntilMs: Math.max(blockedUntilMs, reported.blockedUntilMs),
        turnAtMs: Math.max(probeMs, reported.awaitsAnswerUntilMs, ownTurnMs(nowMs)),
      }
    },
    take: (nowMs: number): void => log.take(nowMs),
    /** @param askedAtMs when the answered call left */
    answered(state: RateState | null, nowMs: number, askedAtMs: number): void {
      log.settle(nowMs)
      if (nowMs >= blockedUntilMs) isProbing = false
      afterRefusal.ended(leased?.calls ?? Infinity, nowMs)
      if (state === null) return
      learnRate(state, askedAtMs)
      // An answer that was read late reports a window that is over.
      if (state.resetAtMs !== null && state.resetAtMs <= nowMs) return
      const windowMs = learned?.perMs ?? state.windowMs
      toldWindow.answered({ ...state, windowMs }, nowMs)
    },
    // The source may or may not have counted the call.
    abandoned: (nowMs: number): void => log.settle(nowMs),
    block(untilMs: number, nowMs: number): void {
      blockedUntilMs = Math.max(blockedUntilMs, Math.min(untilMs, nowMs + MAX_IMPOSED_WAIT_MS))
      isProbing = true
    },
    noteRefusal(nowMs: number): void {
      // Calls that were under way at the first refusal prove nothing new.
      if (nowMs < blockedUntilMs) return
      if (learned !== null) {
        // A window of two whole seconds looks like one of a second that was rounded up.
        if (learned.perMs === SHORTEST_WINDOW_MS) shortestMs = 2 * SHORTEST_WINDOW_MS
        return
      }
      afterRefusal.refused(knownRate(), nowMs)
    },
    setLease(share: CallRate | null): void {
      leased = share
    },
    knownRate,
    countSince: log.countSince,
  }
}

function pace({ calls, perMs }: CallRate): number {
  return perMs / calls
}
