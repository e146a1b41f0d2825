import type { Profile } from '../../config/profiles.ts'
import { refusalAnswer } from '../refusal.ts'
import type { Refusal } from '../refusal.ts'
import type { SpoilContext, Spoilt } from './fault-kind.ts'

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
