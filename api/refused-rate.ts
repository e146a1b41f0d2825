import { DEFAULT_BLOCK_MS } from './block-times.ts'
import type { CallLog } from './call-log.ts'

interface Rate {
  calls: number
  perMs: number
}

/** What refusals teach of a rate that no header tells. Times are epoch ms; no timers, no clock. */
export interface RefusedRate {
  /** null = nothing was refused. */
  rate(): Rate | null
  /**
   * @param thought the rate that was kept to; null = none
   * @param isShared others use parts of it: our own calls are not all
   * @param untilMs when the source allows the next call
   */
  refused(thought: Rate | null, isShared: boolean, untilMs: number, nowMs: number): void
  /** A call has ended: after enough windows without a refusal a little more is tried. */
  ended(nowMs: number): void
}

/** Where others share the window: more than half too much is rare. */
const AFTER_REFUSAL = 0.65
/** A wait is told in whole seconds. */
const ROUNDING_MS = 1_000
/** Fewer good calls than this part of what was thought right: the window was not ours alone. */
const LEAST_CREDIBLE = 0.4
/** The same where nothing was thought. */
const LEAST_COUNT = 10
/** Counts that differ by less are of one limit; so many of them in a row are one that nothing else explains. */
const SAME = 0.1
const SAME_TIMES = 3
/** Stretches of up to so many windows are looked at for what the source has granted. */
const LONGEST_STRETCH = 8
/** So many windows without a refusal and with all of them used before more is tried; doubled by each refusal. */
const WINDOWS_BEFORE_MORE = 30
const MOST_WINDOWS = 480
const USED = 0.9
const MORE = 1 / 20
/** The same while refusals fit no limit: what they cost of a window, and how quickly we go up again. */
const USED_IN_DOUBT = 0.5
const MORE_IN_DOUBT = 1 / 4

/**
 * A refusal ends a count: the good calls since the window began are the limit. When it began follows
 * from when the next call is allowed, to a second; of the limits that lie in that second the roundest
 * is taken, as people set them.
 *
 * Whoever keeps to a limit is not refused again. A refusal that comes all the same, after fewer calls or
 * while its window holds the end of an earlier wait, has another reason (an edge in trouble, another
 * user of the key): its wait is kept, but the rate is lowered only when three give the same count, and
 * goes up again soon. A source that refuses a call in fifty must not slow us down for good.
 */
export function createRefusedRate(log: CallLog): RefusedRate {
  let known: Rate | null = null
  /** What was thought at first; Infinity where nothing was. */
  let most = 0
  /** What held until more was tried. */
  let proven: number | null = null
  /** The count of refusals that fit no limit, and how many in a row had it. */
  let odd = { count: -Infinity, times: 0 }
  /** Calls of a window that the source must grant, whatever its limit is. */
  let granted = 0
  let firstAtMs = Infinity
  /** When the last wait ended. */
  let lastUntilMs = -Infinity
  let isInDoubt = false
  let cleanSinceMs = -Infinity
  let windowsBeforeMore = WINDOWS_BEFORE_MORE

  function counted(thought: Rate, untilMs: number, nowMs: number): number | null {
    if (untilMs - nowMs > thought.perMs + ROUNDING_MS) return null
    const good = (sinceMs: number): number => log.settledBetween(sinceMs, nowMs) - 1
    const startMs = untilMs - thought.perMs
    const least = good(startMs)
    const highest = Math.min(good(startMs - ROUNDING_MS), thought.calls - 1)
    if (least < thought.calls * LEAST_CREDIBLE) return null
    return roundest(Math.min(least, highest), highest)
  }

  /** A stretch of n windows touches n + 1 at most, and each has granted the limit at most. */
  function learnGranted(perMs: number, nowMs: number): void {
    for (let windows = 2; windows <= LONGEST_STRETCH; windows++) {
      const sinceMs = nowMs - windows * perMs
      if (sinceMs < firstAtMs) return
      granted = Math.max(
        granted,
        Math.floor((log.settledBetween(sinceMs, nowMs) - 1) / (windows + 1)),
      )
    }
  }

  function accept(calls: number, perMs: number, nowMs: number): void {
    if (known !== null) windowsBeforeMore = Math.min(windowsBeforeMore * 2, MOST_WINDOWS)
    known = { calls: Math.max(1, calls), perMs }
    proven = null
    odd = { count: -Infinity, times: 0 }
    isInDoubt = false
    cleanSinceMs = nowMs
  }

  /** Of a refusal that is ours alone. */
  function learn(thought: Rate | null, untilMs: number, nowMs: number): void {
    const perMs = thought?.perMs ?? DEFAULT_BLOCK_MS
    learnGranted(perMs, nowMs)
    const isFirstOfWindow = lastUntilMs <= untilMs - perMs + ROUNDING_MS
    const limit = thought !== null && isFirstOfWindow ? counted(thought, untilMs, nowMs) : null
    const good = log.settledBetween(Math.max(nowMs - perMs, lastUntilMs), nowMs) - 1
    const count = limit ?? good
    const isSame = Math.abs(count - odd.count) <= Math.max(1, odd.count * SAME)
    const times = isSame ? odd.times + 1 : 1
    if (proven !== null && count >= proven * (1 - SAME)) accept(proven, perMs, nowMs)
    else if (known === null && limit !== null) accept(Math.max(limit, granted), perMs, nowMs)
    else if (known === null && thought === null && count >= LEAST_COUNT) {
      accept(count, perMs, nowMs)
      isInDoubt = true
    } else if (times >= SAME_TIMES) {
      granted = 0
      accept(count, perMs, nowMs)
    } else {
      odd = { count, times }
      isInDoubt = known !== null
    }
  }

  return {
    rate: () => known,
    refused(thought, isShared, untilMs, nowMs) {
      most = Math.max(thought?.calls ?? Infinity, most)
      if (!isShared) learn(thought, untilMs, nowMs)
      else if (thought !== null) {
        accept(proven ?? Math.floor(thought.calls * AFTER_REFUSAL), thought.perMs, nowMs)
      }
      lastUntilMs = untilMs
    },
    ended(nowMs) {
      firstAtMs = Math.min(firstAtMs, nowMs)
      const windows = isInDoubt ? 1 : windowsBeforeMore
      if (known === null || nowMs - cleanSinceMs < windows * known.perMs) return
      cleanSinceMs = nowMs
      const used = log.countSince(nowMs - known.perMs)
      if (used < known.calls * (isInDoubt ? USED_IN_DOUBT : USED)) return
      const more = Math.floor(known.calls * (isInDoubt ? MORE_IN_DOUBT : MORE))
      proven = known.calls
      known = { ...known, calls: Math.min(most, known.calls + Math.max(1, more)) }
    },
  }
}

/** The number of [least, highest] that ends in most zeros, else in a five; of several the largest. */
function roundest(least: number, highest: number): number {
  for (let step = 10 ** Math.floor(Math.log10(Math.max(1, highest))); step >= 1; step /= 10) {
    for (const unit of step >= 10 ? [step, step / 2] : [step]) {
      const round = Math.floor(highest / unit) * unit
      if (round >= least && round > 0) return step === 1 ? least : round
    }
  }
  return least
}
