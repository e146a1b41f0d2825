import type { Profile } from '../config/profiles.ts'
import { ceilSeconds } from './callers/quota-headers.ts'

export type Refusal =
  | { kind: 'no_key' }
  /** A key for another host of the provider. `code`: the provider's. */
  | { kind: 'foreign_key'; code: number }
  | { kind: 'rate'; limit: number; resetInMs: number }
  | { kind: 'method'; method: string }
  | { kind: 'params'; status: 400 | 422; message: string }
  /** `code`: 10005 = not in the plan, 10012 = further back than the plan reaches. */
  | { kind: 'plan'; code: number; message: string }
  /** The path is no operation. */
  | { kind: 'no_path' }
  /** `subject`: the kind of thing that was looked for, such as coin. */
  | { kind: 'not_found'; subject: string }
  /** An operation whose data were never exported. */
  | { kind: 'no_data'; operation: string }
  /** The Host header names another service. */
  | { kind: 'foreign_host'; host: string }
  | { kind: 'fault' }

/** A refusal, without the headers that every answer has. */
export interface RefusalAnswer {
  status: number
  body: unknown
  headers: Readonly<Record<string, string>>
}

const KEY_MISSING = 10_002
const TOO_MANY = 429

/**
 * A refusal as the profile's service writes it. The interface always writes `error` with a text; a provider with codes
 * has bodies of several shapes.
 */
export function refusalAnswer(refusal: Refusal, profile: Profile, nowMs: number): RefusalAnswer {
  const { status, message, code, headers = {} } = factsOf(refusal, profile)
  if (profile.served.errors !== 'coded') return { status, headers, body: { error: message } }
  if (refusal.kind === 'fault') return { status, headers, body: { status, error: message } }
  if (code === undefined) return { status, headers, body: { error: message } }
  const coded = { error_code: code, error_message: message }
  const timestamp = new Date(nowMs).toISOString()
  const body =
    refusal.kind === 'plan' ? { error: { status: { timestamp, ...coded } } } : { status: coded }
  return { status, headers, body }
}

interface RefusalFacts {
  status: number
  message: string
  /** Absent: refused without a code, also by a provider with codes. */
  code?: number
  headers?: Readonly<Record<string, string>>
}

function factsOf(refusal: Refusal, { auth, basePath }: Profile): RefusalFacts {
  switch (refusal.kind) {
    case 'no_key': {
      const value = auth.template.replace('{key}', '<KEY>')
      const message = `invalid API key; send a valid key as ${canonicalName(auth.header)}: ${value}`
      const isBearer = auth.header === 'authorization'
      const headers = isBearer ? { 'www-authenticate': 'Bearer' } : {}
      return { status: 401, message, code: KEY_MISSING, headers }
    }
    case 'foreign_key': {
      const message = `the key is in the header of another host; use ${auth.header}`
      return { status: 400, message, code: refusal.code }
    }
    case 'rate': {
      const message = `rate limit of ${refusal.limit} calls exceeded; wait for the time in Retry-After`
      const headers = { 'retry-after': ceilSeconds(refusal.resetInMs) }
      return { status: TOO_MANY, message, code: TOO_MANY, headers }
    }
    case 'method': {
      const message = `method ${refusal.method} is not allowed; every operation is a GET`
      return { status: 405, message, headers: { allow: 'GET, HEAD' } }
    }
    case 'plan':
      return { status: 401, message: refusal.message, code: refusal.code }
    case 'params':
      return { status: refusal.status, message: refusal.message }
    case 'foreign_host': {
      const { host } = refusal
      const message = `this service does not answer to the name ${host}; use localhost, or start it with --allow-host ${host}`
      return { status: 421, message }
    }
    case 'no_path':
      return { status: 404, message: `not found: no operation of ${basePath} has this path` }
    case 'not_found':
      return { status: 404, message: `${refusal.subject} not found` }
    case 'no_data':
      return {
        status: 404,
        message: `not found: this service has no data of ${refusal.operation}`,
      }
    default:
      return { status: 500, message: 'Internal Server Error' }
  }
}

/** The usual spelling of a header: `Authorization` for `authorization`. */
function canonicalName(header: string): string {
  return header.startsWith('x-') ? header : `${header.charAt(0).toUpperCase()}${header.slice(1)}`
}
