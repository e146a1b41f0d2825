import type { Profile } from '../../config/profiles.ts'
import { refusalAnswer } from '../refusal.ts'
import type { Refusal } from '../refusal.ts'
import type { Meeting, Spoilt } from './fault-kind.ts'

/** A refusal in the voice of the profile, in place of a good answer. */
export function refused(
  { nowMs, profile }: Meeting,
  refusal: Refusal,
  errors: Profile['served']['errors'] = profile.served.errors,
): Spoilt {
  const voice = { ...profile, served: { ...profile.served, errors } }
  const { status, body, headers } = refusalAnswer(refusal, voice, nowMs)
  return { status, bytes: Buffer.from(JSON.stringify(body)), headers }
}
