import { DEFAULT_BLOCK_MS } from './block-times.ts'
import type { CallLog } from './call-log.ts'
import type { CallRate } from './rate-headers.ts'

/** A rate that no header states, learned from refusals. Times are epoch ms; no timers, no clock. */
export interface RefusedRate {
  /** null = nothing was refused. */
  rate(): CallRate | null
  /** Notes a refusal. @param thought the rate that the process kept; null = none */
  refused(thought: CallRate | null, nowMs: number): void
  /**
   * Notes the end of a call. After some time without a refusal the rate grows a little.
   *
   * @param share the calls of a window that this process has; Infinity = all
   */
  ended(share: number, nowMs: number): void
}

/** This part of the rate stays after a refusal. Refusals of other calls in flight count as the same one. */
const LESS = 0.9
/** After this time without a refusal, or a window, the rate grows by this part of itself. */
const MORE_EVERY_MS = 10_000
const MORE = 0.05
/** The rate only grows when this part of it was used. */
const USED = 0.5
/** Fewer calls than this in the minute before a refusal prove no rate. */
const LEAST_COUNT = 10

/**
 * Each refusal takes a tenth of the rate away, and each stretch of at most ten seconds without a refusal returns a
 * twentieth, up to the first assumption. A refusal may have any reason (the limit, a failing edge, another user of the
 * key), so no refusal slows the process down forever.
 */
export function createRefusedRate(log: CallLog): RefusedRate {
  let rate: CallRate | null = null
  /** The first assumption; Infinity = none. */
  let most = 0
  let cleanSinceMs = -Infinity
  return {
    rate: () => rate,
    refused(thought, nowMs) {
      most = Math.max(thought?.calls ?? Infinity, most)
      cleanSinceMs = nowMs
      const from = thought ?? {
        calls: log.settledBetween(nowMs - DEFAULT_BLOCK_MS, nowMs),
        perMs: DEFAULT_BLOCK_MS,
      }
      if (thought === null && from.calls < LEAST_COUNT) return
      rate = { ...from, calls: Math.max(1, Math.floor(from.calls * LESS)) }
    },
    ended(share, nowMs) {
      if (rate === null || nowMs - cleanSinceMs < Math.min(rate.perMs, MORE_EVERY_MS)) return
      cleanSinceMs = nowMs
      if (log.countSince(nowMs - rate.perMs) < Math.min(rate.calls, share) * USED) return
      const more = Math.max(1, Math.floor(rate.calls * MORE))
      rate = { ...rate, calls: Math.min(most, rate.calls + more) }
    },
  }
}
