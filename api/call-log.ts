interface Call {
  sentMs: number
  /** Infinity while the call is in flight. */
  endedMs: number
}

/** Longer than any paced window. Older calls are forgotten. */
const MAX_AGE_MS = 2 * 3_600_000
const FORGET_EVERY = 10_000
/** After this part of a window a service has surely counted a call, even without an answer. */
const COUNTED_WITHIN = 1 / 4
/** The shortest such time, for short windows. */
const COUNTED_WITHIN_MS = 1_000

/** The calls of this process within the last two hours. */
export type CallLog = ReturnType<typeof createCallLog>

/**
 * Notes calls and counts them. Times are epoch ms; no timers, no clock.
 *
 * A service counts a call at some moment between its sending and its answer. Let a window allow n calls. Each call then
 * leaves a whole window after the n-th call before it was surely counted. So no window has more than n calls, fixed or
 * sliding.
 */
export function createCallLog() {
  /** In the order of leaving. Answers name no call, so each answer ends the oldest one in flight. */
  let calls: Call[] = []
  let firstOpen = 0

  function firstAfter(ms: number, timeOf: (call: Call) => number): number {
    let low = 0
    let high = calls.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (timeOf(calls[middle]!) > ms) high = middle
      else low = middle + 1
    }
    return low
  }
  const endOf = (call: Call): number => call.endedMs
  const sendOf = (call: Call): number => call.sentMs

  /** Moves future calls to now. After a clock was set back, they would count for hours. */
  function pullBack(nowMs: number): void {
    const newestMs = Math.max(calls.at(-1)?.sentMs ?? 0, calls[firstOpen - 1]?.endedMs ?? 0)
    if (newestMs <= nowMs) return
    for (const call of calls) {
      call.sentMs = Math.min(call.sentMs, nowMs)
      if (call.endedMs !== Infinity) call.endedMs = Math.min(call.endedMs, nowMs)
    }
  }

  return {
    inFlight: (): number => calls.length - firstOpen,
    /** Notes that a call leaves. */
    take(nowMs: number): void {
      pullBack(nowMs)
      calls.push({ sentMs: nowMs, endedMs: Infinity })
      if (calls.length % FORGET_EVERY !== 0) return
      const old = firstAfter(nowMs - MAX_AGE_MS, endOf)
      calls = calls.slice(old)
      firstOpen -= old
    },
    /** Notes the end of the oldest call in flight. */
    settle(nowMs: number): void {
      pullBack(nowMs)
      const call = calls[firstOpen]
      if (call === undefined) return
      call.endedMs = nowMs
      firstOpen++
    },
    /** Calls that are in flight or ended after `sinceMs`. */
    countSince: (sinceMs: number): number => calls.length - firstAfter(sinceMs, endOf),
    /** Count of calls that ended in (`fromMs`, `toMs`]. */
    settledBetween: (fromMs: number, toMs: number): number =>
      Math.max(0, firstAfter(toMs, endOf) - firstAfter(fromMs, endOf)),
    /** Least count of calls that left after `fromMs` and ended until `toMs`: a service has counted them in between. */
    madeBetween: (fromMs: number, toMs: number): number =>
      Math.max(0, firstAfter(toMs, endOf) - firstAfter(fromMs, sendOf)),
    /** When another call fits into `count` (at least 1) per `perMs`; -Infinity: now. */
    freeAtMs(count: number, perMs: number, nowMs: number): number {
      pullBack(nowMs)
      const withinMs = Math.max(perMs * COUNTED_WITHIN, COUNTED_WITHIN_MS)
      const countedMs = ({ sentMs, endedMs }: Call): number => Math.min(endedMs, sentMs + withinMs)
      const first = firstAfter(nowMs - perMs, countedMs)
      const tooMany = calls.length - first - count + 1
      const lastToExpire = tooMany <= 0 ? undefined : calls[first + tooMany - 1]
      return lastToExpire === undefined ? -Infinity : countedMs(lastToExpire) + perMs
    },
  }
}
