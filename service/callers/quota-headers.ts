import type { ServedFacts } from '../../config/profiles.ts'
import type { QuotaState } from './quota.ts'

/** Unit of X-RateLimit-Reset. Services differ. */
export type ResetUnit = 'seconds_left' | 'epoch_s' | 'epoch_ms'

/** The rate-limit headers of an answer, as digits. Epochs are on the clock of the Date header. */
export function quotaHeaders(
  state: QuotaState,
  unit: ResetUnit,
  nowMs: number,
): Record<string, string> {
  const reset = {
    seconds_left: secondsUp(state.resetInMs),
    epoch_s: secondsUp(nowMs + state.resetInMs),
    epoch_ms: String(Math.ceil(nowMs + state.resetInMs)),
  }
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-reset': reset[unit],
  }
}

/**
 * The rate-limit headers of a profile. Without `always` only a refusal has them, with the reset as
 * `2025-07-25 14:54:00 +0000`.
 */
export function profileQuotaHeaders(
  { rateHeaders }: Pick<ServedFacts, 'rateHeaders'>,
  state: QuotaState,
  unit: ResetUnit,
  nowMs: number,
): Record<string, string> {
  if (rateHeaders === 'always') return quotaHeaders(state, unit, nowMs)
  if (state.allowed) return {}
  const resetAt = new Date(Number(secondsUp(nowMs + state.resetInMs)) * 1_000).toISOString()
  return {
    ...quotaHeaders(state, unit, nowMs),
    'x-ratelimit-reset': `${resetAt.slice(0, 19).replace('T', ' ')} +0000`,
  }
}

/** Milliseconds as whole seconds, rounded up: a caller that waits so long is not early. */
export function secondsUp(ms: number): string {
  return String(Math.ceil(ms / 1_000))
}
