import { type Dispatcher, request } from 'undici'
import type { Clock } from '../config/clock.ts'
import { crashPoint } from '../config/crash-point.ts'
import type { Pacer } from './pacer.ts'
import {
  type Headers,
  EMPTY_RESET_MEMORY,
  type RateState,
  readDate,
  readRateHeaders,
} from './rate-headers.ts'
import { ERROR_BODY_BYTES } from './error-body.ts'
import { ACCEPT_ENCODING, type ReadBody, readBody } from './response-body.ts'
import { DEADLINE_FACTOR, transportError, wasSent } from './transport-error.ts'

/** Its body is cut after a bad status. */
export interface RawAnswer extends ReadBody {
  status: number
  headers: Headers
  dateMs: number | null
  rate: RateState | null
}

export interface SenderOptions {
  dispatcher: Dispatcher
  /** Headers of this client, beside the common headers. */
  headers: Readonly<Record<string, string>>
  pacer: Pacer
  clock: Clock
  /** Longest wait for the headers, and for the next piece of a body. */
  timeoutMs: number
  /** Largest body of a good status, decoded. */
  maxBodyBytes: number
}

/**
 * Makes the function that does one GET, which needs a permit of the pacer. The pacer gets the headers before the body is
 * read. Faults before the headers are undici's errors, and the request may be repeated. Later faults are source errors,
 * and the call counts.
 */
export function createSender(options: SenderOptions) {
  const { dispatcher, pacer, clock, timeoutMs } = options
  const memory = { ...EMPTY_RESET_MEMORY }
  const headers = {
    accept: 'application/json',
    'accept-encoding': ACCEPT_ENCODING,
    ...options.headers,
  }

  return async (url: string, callNumber: number): Promise<RawAnswer> => {
    const askedAtMs = clock.nowMs()
    crashPoint('request.before')
    const response = await request(url, {
      dispatcher,
      headers,
      signal: AbortSignal.timeout(timeoutMs * DEADLINE_FACTOR),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    }).catch((error: unknown) => {
      pacer.abandon(wasSent(error))
      throw error
    })
    const status = response.statusCode
    const dateMs = readDate(response.headers)
    // A refusal may tell of a penalty, which is no window.
    const learns = status < 300 ? memory : { ...memory }
    const times = { askedAtMs, nowMs: clock.nowMs(), dateMs }
    const rate = readRateHeaders(response.headers, { ...times, memory: learns })
    pacer.observe(rate, askedAtMs)
    crashPoint('request.after')
    try {
      const encoding = String(response.headers['content-encoding'] ?? '')
      crashPoint('body.before')
      const { body, encoded } = await readBody(
        response.body,
        encoding,
        status < 300
          ? { maxBytes: options.maxBodyBytes, isCut: false }
          : { maxBytes: ERROR_BODY_BYTES, isCut: true },
      )
      crashPoint('body.after')
      return { status, headers: response.headers, dateMs, rate, body, encoded }
    } catch (error) {
      throw transportError(error, { url, calls: callNumber, status, timeoutMs })
    }
  }
}
