import type { Clock } from '../../config/clock.ts'
import { ceilSeconds } from '../../service/callers/quota-headers.ts'
import type { QuotaOptions, QuotaState } from '../../service/callers/quotas.ts'

/** A limit as one service or another keeps it: windows of the clock, or every stretch of `perMs`. */
export interface ToldQuota extends QuotaOptions {
  kind: 'fixed' | 'sliding'
}

/** Unit of X-RateLimit-Reset. Services differ. */
export type ResetUnit = 'seconds_left' | 'epoch_s' | 'epoch_ms'

/** Counts the calls of one key. Refused calls do not count. */
export function createToldQuota({ calls, perMs, kind }: ToldQuota, clock: Clock): () => QuotaState {
  let counted: number[] = []
  return () => {
    const nowMs = clock.nowMs()
    const startMs = Math.floor(nowMs / perMs) * perMs
    counted = counted.filter((atMs) => (kind === 'fixed' ? atMs >= startMs : atMs > nowMs - perMs))
    const allowed = counted.length < calls
    if (allowed) counted.push(nowMs)
    const firstMs = kind === 'fixed' ? startMs : (counted[0] ?? nowMs)
    const resetInMs = firstMs + perMs - nowMs
    return { allowed, limit: calls, remaining: calls - counted.length, resetInMs }
  }
}

/** The rate-limit headers of an answer. Epochs are on the clock of the Date header. */
export function toldHeaders(
  { limit, remaining, resetInMs }: QuotaState,
  unit: ResetUnit,
  nowMs: number,
): Record<string, string> {
  const reset = {
    seconds_left: ceilSeconds(resetInMs),
    epoch_s: ceilSeconds(nowMs + resetInMs),
    epoch_ms: String(Math.ceil(nowMs + resetInMs)),
  }
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': reset[unit],
  }
}
