import type { ServedFacts } from '../../config/profiles.ts'
import type { QuotaState } from './quotas.ts'

/**
 * The rate-limit headers of a profile's answer, as digits; the reset in epoch seconds on the clock of the Date header.
 * Without `always` only a call beyond the quota gets them, with the reset as `2025-07-25 14:54:00 +0000`.
 */
export function quotaHeaders(
  { rateHeaders }: Pick<ServedFacts, 'rateHeaders'>,
  state: QuotaState,
  nowMs: number,
): Record<string, string> {
  if (rateHeaders !== 'always' && state.allowed) return {}
  const resetS = ceilSeconds(nowMs + state.resetInMs)
  const resetAt = new Date(Number(resetS) * 1_000).toISOString()
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-reset':
      rateHeaders === 'always' ? resetS : `${resetAt.slice(0, 19).replace('T', ' ')} +0000`,
  }
}

/** Milliseconds as whole seconds, rounded up: a caller that waits so long is not early. */
export function ceilSeconds(ms: number): string {
  return String(Math.ceil(ms / 1_000))
}
