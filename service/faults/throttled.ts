import { profileQuotaHeaders, secondsUp } from '../callers/quota-headers.ts'
import { choiceOption, waitOption } from './fault-options.ts'
import type { Meeting, Spoilt } from './fault-kind.ts'
import { refused } from './refused.ts'

/** Options of "too many requests". */
export const THROTTLE_SHAPE = {
  told: choiceOption('how the wait is told', ['retry_after', 'reset', 'nothing']),
  wait_ms: waitOption('the wait that is told', 1_000),
}

/** "Too many requests" with the wait as Retry-After and reset, as reset alone, or without. */
export function throttled(
  meeting: Meeting,
  { told, wait_ms: waitMs }: { told: 'retry_after' | 'reset' | 'nothing'; wait_ms: number },
  errors?: 'coded',
): Spoilt {
  const { quota, profile, resetUnit, nowMs } = meeting
  const { limit } = quota
  const { status, bytes } = refused(meeting, { kind: 'rate', limit, resetInMs: waitMs }, errors)
  const answer: Spoilt = { status: status!, bytes: bytes!, isFree: true }
  if (told === 'nothing') return { ...answer, hidesQuota: true }
  const state = { allowed: false, limit, remaining: 0, resetInMs: waitMs }
  const headers = profileQuotaHeaders(profile.served, state, resetUnit, nowMs)
  const after = told === 'retry_after' ? { 'retry-after': secondsUp(waitMs) } : {}
  return { ...answer, headers: { ...headers, ...after } }
}
