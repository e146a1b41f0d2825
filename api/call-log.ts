/** Our own calls, as far as a window reaches back. Times are epoch ms; no timers, no clock. */
export interface CallLog {
  /** Calls that have left and have not ended. */
  inFlight(): number
  take(nowMs: number): void
  /** A call has ended: its service has counted it by now. @returns when the oldest in flight left. */
  settle(nowMs: number): number
  /** Calls that are in flight or ended after `sinceMs`. */
  countSince(sinceMs: number): number
  /** How many calls ended in (`fromMs`, `toMs`]. */
  settledBetween(fromMs: number, toMs: number): number
  /** When another call fits into `calls` per `perMs`; -Infinity = now. */
  freeAtMs(calls: number, perMs: number, nowMs: number): number
}

interface Call {
  sentMs: number
  /** Infinity while it is in flight. */
  endedMs: number
}

/** Longer than any window that is paced; older calls are forgotten. */
const MAX_AGE_MS = 2 * 3_600_000
const FORGET_EVERY = 10_000
/** A slow answer must not hold its place for ever: by this part of a window, or so soon, a call has been counted. */
const COUNTED_WITHIN = 1 / 4
const COUNTED_WITHIN_MS = 1_000

/**
 * The calls of this process. A service counts a call on arrival, before it answers. So a call that leaves a whole
 * window after the answer to the n-th call before it is never the n+1-th of any window, fixed or sliding, wherever
 * windows begin and however long calls travel.
 */
export function createCallLog(): CallLog {
  /** In the order of leaving. Which of those in flight ended is not known: the oldest, then. */
  let calls: Call[] = []
  let open = 0

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

  /** A clock that was set back: what lies in the future would weigh for hours. */
  function pullBack(nowMs: number): void {
    if ((calls.at(-1)?.sentMs ?? -Infinity) <= nowMs) return
    for (const call of calls) {
      call.sentMs = Math.min(call.sentMs, nowMs)
      if (call.endedMs !== Infinity) call.endedMs = Math.min(call.endedMs, nowMs)
    }
  }

  return {
    inFlight: () => calls.length - open,
    take(nowMs) {
      pullBack(nowMs)
      calls.push({ sentMs: nowMs, endedMs: Infinity })
      if (calls.length % FORGET_EVERY !== 0) return
      const old = firstAfter(nowMs - MAX_AGE_MS, endOf)
      calls = calls.slice(old)
      open -= old
    },
    settle(nowMs) {
      pullBack(nowMs)
      const call = calls[open]
      if (call === undefined) return nowMs
      call.endedMs = nowMs
      open++
      return call.sentMs
    },
    countSince: (sinceMs) => calls.length - firstAfter(sinceMs, endOf),
    settledBetween: (fromMs, toMs) =>
      Math.max(0, firstAfter(toMs, endOf) - firstAfter(fromMs, endOf)),
    freeAtMs(count, perMs, nowMs) {
      pullBack(nowMs)
      const withinMs = Math.max(perMs * COUNTED_WITHIN, COUNTED_WITHIN_MS)
      const countedMs = ({ sentMs, endedMs }: Call): number => Math.min(endedMs, sentMs + withinMs)
      const first = firstAfter(nowMs - perMs, countedMs)
      const tooMany = calls.length - first - count + 1
      const leaves = tooMany <= 0 ? undefined : calls[first + tooMany - 1]
      return leaves === undefined ? -Infinity : countedMs(leaves) + perMs
    },
  }
}
