import { DEFAULT_BLOCK_MS } from './imposed-waits.ts'
import type { CallLog } from './call-log.ts'
import type { CallRate } from './rate-headers.ts'

/** This part of the rate stays after a refusal. Refusals of other calls in flight count once. */
const KEPT_PART = 0.9
/** After this time or a window without a refusal, the rate grows by this part. */
const MORE_EVERY_MS = 10_000
const GROWTH_PART = 0.05
/** The rate grows only when this part of it was used. */
const MIN_USED_PART = 0.5
/** Fewer calls than this in the minute before a refusal prove no rate. */
const MIN_CALLS = 10

/**
 * A rate that no header states, learned from refusals. Times are epoch ms; no timers, no clock.
 *
 * Each refusal takes a tenth of the rate away. Each stretch of up to ten seconds without a refusal returns a twentieth,
 * up to the first assumption. The limit, a failing edge or another user of the key may have caused a refusal. So no
 * refusal slows the process down forever.
 */
export function createRateAfterRefusals(log: CallLog) {
  let rate: CallRate | null = null
  /** Calls of the first assumed rate; Infinity: no rate was assumed. */
  let maxCalls = 0
  let cleanSinceMs = -Infinity
  return {
    /** null: nothing was refused. */
    rate: (): CallRate | null => rate,
    /** Notes a refusal. @param assumed the rate that the process kept; null: none */
    refused(assumed: CallRate | null, nowMs: number): void {
      maxCalls = Math.max(assumed?.calls ?? Infinity, maxCalls)
      cleanSinceMs = nowMs
      const from = assumed ?? {
        calls: log.settledBetween(nowMs - DEFAULT_BLOCK_MS, nowMs),
        perMs: DEFAULT_BLOCK_MS,
      }
      if (assumed === null && from.calls < MIN_CALLS) return
      rate = { ...from, calls: Math.max(1, Math.floor(from.calls * KEPT_PART)) }
    },
    /** Notes the end of a call. @param share this process's calls of a window; Infinity: all */
    ended(share: number, nowMs: number): void {
      if (rate === null || nowMs - cleanSinceMs < Math.min(rate.perMs, MORE_EVERY_MS)) return
      cleanSinceMs = nowMs
      if (log.countSince(nowMs - rate.perMs) < Math.min(rate.calls, share) * MIN_USED_PART) return
      const more = Math.max(1, Math.floor(rate.calls * GROWTH_PART))
      rate = { ...rate, calls: Math.min(maxCalls, rate.calls + more) }
    },
  }
}
