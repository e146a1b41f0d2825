import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import type { Operation } from '../api/operation.ts'
import { systemClock } from '../config/clock.ts'
import type { Clock } from '../config/clock.ts'
import type { AnswerSource } from './answer-source.ts'
import { bodyText } from './body-text.ts'
import { checkParams } from './check-params.ts'
import { encodeBody } from './encode-body.ts'
import type { KeyRing } from './key-ring.ts'
import { createQuota } from './quota.ts'
import type { QuotaOptions } from './quota.ts'
import { quotaHeaders, secondsUp } from './quota-headers.ts'
import type { ResetUnit } from './quota-headers.ts'
import { createRequestCounter, redactQuery } from './request-log.ts'
import type { RequestCounts, RequestEntry } from './request-log.ts'
import { byPrecedence, routePattern } from './routes.ts'

export interface ServiceOptions {
  source: AnswerSource
  operations: readonly Operation[]
  /** Null = open: any key or none is accepted. Only for loopback (serve-http.ts refuses else). */
  keys: KeyRing | null
  quota: QuotaOptions | null
  /** Default `epoch_s`. */
  resetUnit?: ResetUnit
  /** Every answer waits this long: for tests of timing. Default 0. */
  latencyMs?: number
  log?: (entry: RequestEntry) => void
  /** Real time, by which quotas and durations pass even where the source's clock stands. */
  realClock?: Clock
}

/** What a request gathers on its way through the service. */
interface ServiceEnv {
  Variables: {
    operation: Operation | undefined
    fault: unknown
    quotaHeaders: Record<string, string> | undefined
    /** The time of the answer, where it is not the source's clock. */
    atMs: number | undefined
  }
}

export interface Service {
  app: Hono<ServiceEnv>
  isOpen: boolean
  requestCounts(): RequestCounts
}

/** Quota of callers without an accepted key. */
const ANONYMOUS = 'anonymous'
const BEARER = /^Bearer\s+(\S+)\s*$/i

/** The `/v2` interface over HTTP. Answers `app.request()` in tests just as over a socket. */
export function createService(options: ServiceOptions): Service {
  const { source } = options
  const counter = createRequestCounter()
  const app = new Hono<ServiceEnv>()
  app.use(
    recordRequests(options, (entry) => {
      counter.add(entry)
      options.log?.(entry)
    }),
  )
  app.use(admitCallers(options))
  for (const operation of byPrecedence(options.operations)) {
    app.get(routePattern(operation), async (c) => {
      c.set('operation', operation)
      const checked = checkParams(operation, { ...c.req.query(), ...c.req.param() })
      if (!checked.ok) return refuse(c, source, checked.status, checked.message)
      const answered = await source.answer(operation.id, checked.params)
      if (answered.kind === 'not_found') return refuse(c, source, 404, notFoundText(operation))
      if (answered.kind === 'bytes') c.set('atMs', answered.atMs)
      const bytes =
        answered.kind === 'bytes' ? answered.bytes : Buffer.from(bodyText(answered.body))
      return send(c, source, 200, bytes, {
        'cache-control': `public, max-age=${operation.cacheAgeS}`,
      })
    })
  }
  app.notFound((c) => refuse(c, source, 404, 'not found: no operation of /v2 has this path'))
  app.onError((fault, c) => {
    c.set('fault', fault)
    return refuse(c, source, 500, 'Internal Server Error')
  })
  return { app, isOpen: options.keys === null, requestCounts: () => counter.counts() }
}

function recordRequests(
  options: ServiceOptions,
  record: (entry: RequestEntry) => void,
): MiddlewareHandler<ServiceEnv> {
  const realClock = options.realClock ?? systemClock
  const latencyMs = options.latencyMs ?? 0
  return async (c, next) => {
    const atMs = realClock.nowMs()
    const startedMs = performance.now()
    if (latencyMs > 0) await sleep(latencyMs)
    await next()
    const url = new URL(c.req.url)
    const fault = c.get('fault')
    record({
      method: c.req.method,
      path: url.pathname,
      query: redactQuery(url.search),
      status: c.res.status,
      durationMs: performance.now() - startedMs,
      operation: c.get('operation')?.id ?? null,
      atMs,
      ...(fault === undefined ? {} : { fault }),
    })
  }
}

/** Key, quota, method: everything that is decided before the path is looked at. */
function admitCallers(options: ServiceOptions): MiddlewareHandler<ServiceEnv> {
  const { source, keys } = options
  const quota =
    options.quota === null ? null : createQuota(options.quota, options.realClock ?? systemClock)
  return async (c, next) => {
    const key = BEARER.exec(c.req.header('authorization') ?? '')?.[1] ?? ANONYMOUS
    const keyId = keys === null ? key : keys.identify(key)
    const state = quota?.take(keyId ?? ANONYMOUS)
    if (state !== undefined) {
      const unit = options.resetUnit ?? 'epoch_s'
      c.set('quotaHeaders', quotaHeaders(state, unit, source.clock.nowMs()))
    }
    if (keyId === null) {
      const error = 'invalid API key: provide a valid key as Authorization: Bearer <KEY>'
      return refuse(c, source, 401, error, { 'www-authenticate': 'Bearer' })
    }
    if (state?.allowed === false) {
      const error = `rate limit of ${state.limit} calls exceeded: wait for the time in Retry-After`
      return refuse(c, source, 429, error, { 'retry-after': secondsUp(state.resetInMs) })
    }
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const error = `method ${c.req.method} is not allowed: every operation is a GET`
      return refuse(c, source, 405, error, { allow: 'GET, HEAD' })
    }
    return next()
  }
}

/** The interface's error body: an object with the string field `error`. */
function refuse(
  c: Context<ServiceEnv>,
  source: AnswerSource,
  status: number,
  error: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(c, source, status, Buffer.from(JSON.stringify({ error })), headers)
}

async function send(
  c: Context<ServiceEnv>,
  source: AnswerSource,
  status: number,
  plain: Uint8Array,
  headers: Record<string, string>,
): Promise<Response> {
  const encoded = await encodeBody(plain, c.req.header('accept-encoding'))
  return new Response(encoded.bytes, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      // Set here, because Node would write the machine's time and not the source's.
      date: new Date(c.get('atMs') ?? source.clock.nowMs()).toUTCString(),
      ...c.get('quotaHeaders'),
      ...headers,
      ...encoded.headers,
    },
  })
}

function notFoundText(operation: Operation): string {
  return operation.id.startsWith('exchange') ? 'exchange not found' : 'coin not found'
}
