import { subscribe } from 'node:diagnostics_channel'
import type { DiagnosticsChannel } from 'undici'
import {
  SourceDataError,
  type SourceError,
  type SourceErrorFacts,
  SourceUnavailableError,
} from './errors.ts'
import { BodyTooLarge } from './response-body.ts'

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_TLS',
  'UND_ERR_PRX_CONN',
])
const TIMEOUT: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])
/** A new connection may cure these faults. */
const RETRIED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
])

const CERTIFICATE_FAULT = /CERT|^ERR_TLS_|^UNABLE_TO_/
const TLS_FAULT = /^ERR_SSL_|^EPROTO$/

/** Errors of connections that were never made. Their codes do not tell. */
const unconnected = new WeakSet<object>()
subscribe('undici:client:connectError', (message) => {
  const { error } = message as DiagnosticsChannel.ClientConnectErrorMessage
  unconnected.add(error)
})

/** Whether a request without an answer may have reached the source. Without a connection it has not left. */
export function wasSent(error: unknown): boolean {
  return !unconnected.has(error as object)
}

/** Whether a request without an answer may be sent again at once. */
export function mayRetryAtOnce(error: unknown): boolean {
  return RETRIED.has(codeOf(error))
}

/** An answer may keep arriving for this many times `timeoutMs`. */
export const DEADLINE_FACTOR = 4

/** The source error for a request that ended without a whole answer. */
export function transportError(
  error: unknown,
  facts: SourceErrorFacts & { timeoutMs: number },
): SourceError {
  const { timeoutMs, ...known } = facts
  const code = codeOf(error)
  const what = error instanceof Error && error.message !== '' ? error.message : code
  const withCause = { ...known, cause: error }
  if (error instanceof BodyTooLarge) {
    return new SourceDataError(what, {
      ...withCause,
      code: 'SOURCE_TOO_LARGE',
      hint: 'Check source.base_url. If the answer is good, set source.max_body higher; the whole answer is held in memory.',
    })
  }
  if (TIMEOUT.has(code) || isDeadline(error)) {
    const late = isDeadline(error)
      ? `not whole after ${timeoutMs * DEADLINE_FACTOR} ms`
      : `${timeoutMs} ms without progress`
    return new SourceUnavailableError(`no answer in time (${late})`, {
      ...withCause,
      code: 'SOURCE_TIMEOUT',
      hint: 'Try again later, or set source.timeout higher.',
    })
  }
  if (CERTIFICATE_FAULT.test(code)) {
    return new SourceUnavailableError(`the certificate is not trusted (${code}: ${what})`, {
      ...withCause,
      code: 'SOURCE_UNREACHABLE',
      hint: 'Set source.ca_file to the certificate of the authority (a company proxy has its own).',
      retryable: false,
    })
  }
  if (TLS_FAULT.test(code)) {
    return new SourceUnavailableError(`the service speaks no TLS (${code})`, {
      ...withCause,
      code: 'SOURCE_UNREACHABLE',
      hint: 'Check source.base_url: a service on this machine is often http and not https.',
      retryable: false,
    })
  }
  if (UNREACHABLE.has(code)) {
    return new SourceUnavailableError(`no such service can be reached (${code})`, {
      ...withCause,
      code: 'SOURCE_UNREACHABLE',
      hint: 'Check source.base_url, the network and HTTPS_PROXY; is the service running?',
    })
  }
  return new SourceUnavailableError(`the answer broke off (${what})`, withCause)
}

function isDeadline(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : ''
}
