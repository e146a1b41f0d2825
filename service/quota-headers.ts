import type { QuotaState } from './quota.ts'

/** Unit of X-RateLimit-Reset: services differ, and a client must cope with each. */
export type ResetUnit = 'seconds_left' | 'epoch_s' | 'epoch_ms'

/**
 * The rate-limit headers of an answer, each a string of digits. Epochs are on the service's own
 * clock, as its Date header is, so that a client can tell the unit by comparing the two.
 */
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

/** Milliseconds as whole seconds, rounded up, so that who waits exactly that long is never early. */
export function secondsUp(ms: number): string {
  return String(Math.ceil(ms / 1_000))
}
