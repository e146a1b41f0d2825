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

/** Where the refusal tells nothing: more than half too much is rare. */
const AFTER_REFUSAL = 0.65
/** A wait is told in whole seconds. */
const ROUNDING_MS = 1_000
/** Fewer good calls than this part of what was thought right: the window was not ours alone. */
const LEAST_CREDIBLE = 0.4
/** So many windows without a refusal and with all of them used before more is tried; doubled by each refusal. */
const WINDOWS_BEFORE_MORE = 30
const MOST_WINDOWS = 480
const USED = 0.9
const MORE = 1 / 20

/**
 * A refusal ends a count: the good calls since the window began are the limit. When it began follows
 * from when the next call is allowed, to a second; of the limits that lie in that second the roundest
 * is taken, as people set them.
 */
export function createRefusedRate(log: CallLog): RefusedRate {
  let known: Rate | null = null
  /** What was thought at first, and what held until more was tried. */
  let most = 0
  let proven: number | null = null
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

  return {
    rate: () => known,
    refused(thought, isShared, untilMs, nowMs) {
      if (known !== null) windowsBeforeMore = Math.min(windowsBeforeMore * 2, MOST_WINDOWS)
      const seen = { calls: log.countSince(nowMs - DEFAULT_BLOCK_MS), perMs: DEFAULT_BLOCK_MS }
      const { calls, perMs } = thought ?? seen
      most = Math.max(calls, most)
      const isCounted = thought !== null && !isShared
      const limit = isCounted ? counted(thought, untilMs, nowMs) : null
      known = { calls: Math.max(1, limit ?? proven ?? Math.floor(calls * AFTER_REFUSAL)), perMs }
      proven = null
      cleanSinceMs = nowMs
    },
    ended(nowMs) {
      if (known === null || nowMs - cleanSinceMs < windowsBeforeMore * known.perMs) return
      cleanSinceMs = nowMs
      if (log.countSince(nowMs - known.perMs) < known.calls * USED) return
      const calls = Math.min(most, known.calls + Math.max(1, Math.floor(known.calls * MORE)))
      proven = known.calls
      known = { ...known, calls }
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
