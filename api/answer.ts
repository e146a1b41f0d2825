import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { redact } from '../config/values/redact.ts'
import type { Secret } from '../config/values/secret.ts'
import { classifyError } from './classify-error.ts'
import { ERROR_BODY_BYTES, type ErrorBody, errorInJson, readErrorBody } from './error-body.ts'
import { SourceDataError, type SourceError, SourceUnavailableError } from './errors.ts'
import type { RawAnswer } from './send-request.ts'
import type { Operation } from './operations.ts'
import { DEFAULT_BLOCK_MS, MAX_IMPOSED_WAIT_MS } from './imposed-waits.ts'
import { type RateState, readRetryAfter } from './rate-headers.ts'
import type { EncodedBody } from './response-body.ts'

export type SourceAnswer =
  | {
      kind: 'ok'
      url: string
      status: number
      body: Uint8Array
      encoded: EncodedBody | null
      /** The body parsed by JSON.parse, so its numbers are doubles. */
      json: unknown
      /** The source's Date header, epoch ms; null when it sends none. */
      dateMs: number | null
      rate: RateState | null
      /** Count of items in the whole listing, from the header `total`; null without that header. */
      toldItems: number | null
      /** Time from the call of `get` to the last byte, with the wait for permits. */
      durationMs: number
      /** Physical requests, with repetitions after connection faults and with redirects. */
      calls: number
    }
  | {
      kind: 'throttled'
      /** Earliest time of the next request; epoch ms of the local clock, at most 15 minutes ahead. */
      untilMs: number
      /** null: an earlier answer demanded the wait, so no request was made. */
      status: number | null
      calls: number
      url: string
      reason: string
    }

export interface AnswerContext {
  url: string
  calls: number
  nowMs: number
  durationMs: number
  /** Removed from text of the service. */
  key: Secret | null
}

/** Shortest wait, also after `Retry-After: 0`, so that the callers do not all ask again at once. */
const MIN_BLOCK_MS = 1_000
/** Code of a network edge that has banned the address. Requests prolong the ban. */
const EDGE_BAN = 1_015

/** Broken JSON with this start is a cut answer of the service, and no page of a proxy. */
const BEGINS_AS_JSON = /^\s*[[{]/

/** Examines an answer. Returns errors instead of throwing them, so that the caller can first read Retry-After. */
export function readAnswer(
  operation: Operation,
  raw: RawAnswer,
  context: AnswerContext,
): SourceAnswer | SourceError {
  const errorBody = (): ErrorBody => {
    const start = new TextDecoder().decode(raw.body.subarray(0, ERROR_BODY_BYTES))
    return readErrorBody(redact(start, context.key))
  }
  if (raw.status >= 300) return refusal(raw, errorBody(), context)
  const text = new TextDecoder().decode(raw.body)
  const facts = { url: context.url, status: raw.status, calls: context.calls }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    const body = errorBody()
    if (body.isThrottle) return refusal(raw, body, context)
    if (BEGINS_AS_JSON.test(text)) {
      const what = `the answer is broken JSON (${raw.body.byteLength} bytes)`
      return new SourceUnavailableError(what, { ...facts, cause })
    }
    const type = String(raw.headers['content-type'] ?? 'no content type')
    const what = `the answer is no JSON (${type}, ${raw.body.byteLength} bytes: ${body.message})`
    return new SourceUnavailableError(what, {
      ...facts,
      code: 'SOURCE_NOT_JSON',
      hint: 'Check source.base_url; if it is right, the service or a proxy is in trouble: try again later.',
      cause,
    })
  }
  // U+FFFD would stand for other bytes, so two different ids could look the same.
  if (!isUtf8(raw.body)) {
    return new SourceDataError(`the answer is no UTF-8 (${raw.body.byteLength} bytes)`, facts)
  }
  const checked = operation.response.safeParse(json)
  if (!checked.success) {
    const stated = errorInJson(json)
    if (stated !== null) {
      return refusal(raw, { ...stated, message: redact(stated.message, context.key) }, context)
    }
    const issue = checked.error.issues[0]
    const path = z.core.toDotPath(['$', ...(issue?.path ?? [])])
    return new SourceDataError(
      `the answer is not of the shape of ${operation.id}: ${path}: ${issue?.message ?? ''}`,
      facts,
    )
  }
  const { url, calls, durationMs } = context
  const { status, body, encoded, dateMs, rate } = raw
  const toldItems = readTotal(raw.headers['total'])
  const known = { dateMs, rate, toldItems, durationMs, calls }
  return { kind: 'ok', url, status, body, encoded, json, ...known }
}

function readTotal(header: string | readonly string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : null
}

function refusal(
  raw: RawAnswer,
  body: ErrorBody,
  context: AnswerContext,
): SourceAnswer | SourceError {
  const { url, calls } = context
  if (raw.status !== 429 && !body.isThrottle) {
    const { location } = raw.headers
    return classifyError(raw.status, body, {
      url,
      calls,
      location: typeof location === 'string' ? redact(location, context.key) : null,
    })
  }
  return {
    kind: 'throttled',
    untilMs: throttledUntilMs(raw, body, context.nowMs),
    status: raw.status,
    calls,
    url,
    reason: `HTTP ${raw.status}${body.message === '' ? '' : `: ${body.message}`}`,
  }
}

/** Retry-After, else the reset unless it is long past, else a minute (edge ban: 15). Bounds: 1 second and 15 minutes. */
function throttledUntilMs(raw: RawAnswer, body: ErrorBody, nowMs: number): number {
  const { rate } = raw
  const resetAtMs = rate === null || rate.isResetPast === true ? null : rate.resetAtMs
  const unsaidMs = body.bodyCode === EDGE_BAN ? MAX_IMPOSED_WAIT_MS : DEFAULT_BLOCK_MS
  const toldMs =
    readRetryAfter(raw.headers, { nowMs, dateMs: raw.dateMs }) ?? resetAtMs ?? nowMs + unsaidMs
  return Math.min(Math.max(toldMs, nowMs + MIN_BLOCK_MS), nowMs + MAX_IMPOSED_WAIT_MS)
}
