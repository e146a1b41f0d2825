import { profileQuotaHeaders, secondsUp } from '../callers/quota-headers.ts'
import { choiceOption, waitOption } from './fault-options.ts'
import type { SpoilContext, Spoilt } from './fault-kind.ts'
import { refused } from './refused.ts'

/** Options of the faults with "too many requests". */
export const THROTTLE_SHAPE = {
  told: choiceOption('how the wait is told', ['retry_after', 'reset', 'nothing']),
  wait_ms: waitOption('the wait that is told', 1_000),
}

/** A refusal "too many requests" that tells the wait by Retry-After and the reset, by the reset, or not. */
export function throttled(
  context: SpoilContext,
  { told, wait_ms: waitMs }: { told: 'retry_after' | 'reset' | 'nothing'; wait_ms: number },
  errors?: 'coded',
): Spoilt {
  const { quota, profile, resetUnit, nowMs } = context
  const { limit } = quota
  const { status, bytes } = refused(context, { kind: 'rate', limit, resetInMs: waitMs }, errors)
  const answer: Spoilt = { status: status!, bytes: bytes!, isFree: true }
  if (told === 'nothing') return { ...answer, hidesQuota: true }
  const state = { allowed: false, limit, remaining: 0, resetInMs: waitMs }
  const headers = profileQuotaHeaders(profile.served, state, resetUnit, nowMs)
  const after = told === 'retry_after' ? { 'retry-after': secondsUp(waitMs) } : {}
  return { ...answer, headers: { ...headers, ...after } }
}
