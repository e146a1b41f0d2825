import type { Profile } from '../config/profiles.ts'
import { secondsUp } from './callers/quota-headers.ts'

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
  /** An operation without a subject, whose data were never exported. */
  | { kind: 'no_data'; operation: string }
  /** The request is not HTTP, too large, or meant for another host. */
  | { kind: 'unreadable'; status: 400 | 421 | 431; message: string }
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
  const message = messageOf(refusal, profile)
  const status = statusOf(refusal)
  const headers = headersOf(refusal, profile)
  const isCoded = profile.served.errors === 'coded'
  return {
    status,
    headers,
    body: (isCoded ? codedBody(refusal, message, nowMs) : null) ?? { error: message },
  }
}

function statusOf(refusal: Refusal): number {
  switch (refusal.kind) {
    case 'no_key':
    case 'plan':
      return 401
    case 'foreign_key':
      return 400
    case 'rate':
      return TOO_MANY
    case 'method':
      return 405
    case 'params':
    case 'unreadable':
      return refusal.status
    case 'no_path':
    case 'not_found':
    case 'no_data':
      return 404
    default:
      return 500
  }
}

function messageOf(refusal: Refusal, { auth, basePath }: Profile): string {
  switch (refusal.kind) {
    case 'no_key': {
      const value = auth.template.replace('{key}', '<KEY>')
      return `invalid API key; send a valid key as ${canonicalName(auth.header)}: ${value}`
    }
    case 'foreign_key':
      return `the key is in the header of another host; use ${auth.header}`
    case 'rate':
      return `rate limit of ${refusal.limit} calls exceeded; wait for the time in Retry-After`
    case 'method':
      return `method ${refusal.method} is not allowed; every operation is a GET`
    case 'params':
    case 'plan':
    case 'unreadable':
      return refusal.message
    case 'no_path':
      return `not found: no operation of ${basePath} has this path`
    case 'not_found':
      return `${refusal.subject} not found`
    case 'no_data':
      return `not found: this service has no data of ${refusal.operation}`
    default:
      return 'Internal Server Error'
  }
}

function headersOf(refusal: Refusal, { auth }: Profile): Record<string, string> {
  if (refusal.kind === 'no_key' && auth.header === 'authorization') {
    return { 'www-authenticate': 'Bearer' }
  }
  if (refusal.kind === 'rate') return { 'retry-after': secondsUp(refusal.resetInMs) }
  if (refusal.kind === 'method') return { allow: 'GET, HEAD' }
  return {}
}

/** The body of a provider with codes; null = the body of the interface. */
function codedBody(refusal: Refusal, message: string, nowMs: number): unknown {
  const coded = (code: number): unknown => ({
    status: { error_code: code, error_message: message },
  })
  switch (refusal.kind) {
    case 'no_key':
      return coded(KEY_MISSING)
    case 'foreign_key':
      return coded(refusal.code)
    case 'rate':
      return coded(TOO_MANY)
    case 'plan':
      return {
        error: {
          status: {
            timestamp: new Date(nowMs).toISOString(),
            error_code: refusal.code,
            error_message: message,
          },
        },
      }
    case 'fault':
      return { status: 500, error: message }
    default:
      return null
  }
}

/** The usual spelling of a header: `Authorization` for `authorization`. */
function canonicalName(header: string): string {
  return header.startsWith('x-') ? header : `${header.charAt(0).toUpperCase()}${header.slice(1)}`
}
