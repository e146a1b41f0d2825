import { ceilSeconds } from '../callers/quota-headers.ts'
import { choiceOption, waitOption } from './fault-options.ts'
import type { SpoilContext, Spoilt } from './fault-kind.ts'
import type { Profile } from '../../config/profiles.ts'
import { refusalAnswer, type Refusal } from '../refusal.ts'

export const THROTTLE_SHAPE = {
  told: choiceOption('how the wait is told', ['retry_after', 'reset', 'nothing']),
  wait_ms: waitOption('the wait that is told', 1_000),
}

/** A refusal "too many requests". The wait stands in Retry-After and the reset, only in the reset, or nowhere. */
export function throttled(
  context: SpoilContext,
  { told, wait_ms: waitMs }: { told: 'retry_after' | 'reset' | 'nothing'; wait_ms: number },
  errors?: 'coded',
): Spoilt {
  const { limit } = context.quota
  const { status, bytes } = refused(context, { kind: 'rate', limit, resetInMs: waitMs }, errors)
  return {
    status: status!,
    bytes: bytes!,
    isFree: true,
    quota: told === 'nothing' ? null : { allowed: false, limit, remaining: 0, resetInMs: waitMs },
    headers: told === 'retry_after' ? { 'retry-after': ceilSeconds(waitMs) } : {},
  }
}

/** A refusal as the profile writes it, instead of a good answer. */
export function refused(
  { nowMs, profile }: SpoilContext,
  refusal: Refusal,
  errors: Profile['served']['errors'] = profile.served.errors,
): Spoilt {
  const withErrors = { ...profile, served: { ...profile.served, errors } }
  const { status, body, headers } = refusalAnswer(refusal, withErrors, nowMs)
  return { status, bytes: Buffer.from(JSON.stringify(body)), headers }
}

export function htmlPage(title: string): { bytes: Uint8Array; headers: Record<string, string> } {
  const page = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`
  return { bytes: Buffer.from(page), headers: { 'content-type': 'text/html; charset=utf-8' } }
}
