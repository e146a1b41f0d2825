import { setTimeout as sleep } from 'node:timers/promises'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Operation } from '../api/operations.ts'
import { systemClock, type Clock } from '../config/clock.ts'
import { profiles, type Profile } from '../config/profiles.ts'
import { admitCallers } from './callers/admit-callers.ts'
import { createAnswers } from './answer-operation.ts'
import type { AnswerSource } from './answer-source.ts'
import type { FaultOrder } from './faults/fault-order.ts'
import { createFaultInjector } from './faults/inject-faults.ts'
import type { KeyRing } from './callers/key-ring.ts'
import { createQuotas, type QuotaOptions } from './callers/quotas.ts'
import { createReplies, type ServiceEnv } from './reply.ts'
import { redactQuery, type RequestEntry } from './request-log.ts'
import { createWrongKeys } from './callers/wrong-keys.ts'

export interface ServiceOptions {
  source: AnswerSource
  /** The operations of the profile (api/profile-params.ts). */
  operations: readonly Operation[]
  /** Default: `interface`. */
  profile?: Profile
  /** null = open: no key is needed. Only on loopback (serve-http.ts). */
  keys: KeyRing | null
  /** null = no limit. Keys may have quotas of their own. */
  quota: QuotaOptions | null
  /** Delay of every answer, for tests of timing. Default 0. */
  latencyMs?: number
  /** Faults to inject (docs/faults.md). Default none. */
  faults?: readonly FaultOrder[]
  log?: (entry: RequestEntry) => void
  /** Called at the 1st, 10th, 100th ... wrong key of an address. */
  onWrongKeys?: (address: string, count: number) => void
  /** Real time, for quotas and durations: the source's clock may stand still. */
  realClock?: Clock
  /** The answer to `/openapi.json`; absent = no such path. */
  document?: unknown
}

export interface Service {
  app: Hono<ServiceEnv>
  isOpen: boolean
}

const DOCUMENT_PATH = '/openapi.json'

/** The `/v2` interface over HTTP. Tests can use `app.request()` without a socket. */
export function createService(options: ServiceOptions): Service {
  const { source, profile = profiles.interface } = options
  const realClock = options.realClock ?? systemClock
  const nowMs = (): number => source.clock.nowMs()
  const replies = createReplies(source, profile)
  const quotas = createQuotas(options.quota, realClock)
  const answer = createAnswers(source, profile)
  const orders = options.faults ?? []
  const inject = createFaultInjector({ orders, answer, quotas, replies, profile, nowMs })

  const app = new Hono<ServiceEnv>({ strict: false })
  app.use(recordRequests(realClock, options.latencyMs ?? 0, options.log))
  const wrongKeys = createWrongKeys(realClock, options.onWrongKeys ?? (() => undefined))
  app.use(admitCallers({ profile, keys: options.keys, quotas, wrongKeys, nowMs, replies }))
  for (const operation of byPrecedence(options.operations)) {
    app.get(routePattern(operation, profile.basePath), async (c) => {
      c.set('operation', operation)
      const given = { path: c.req.param(), query: c.get('query') }
      const result = await answer(operation, given)
      if (result.kind === 'refused') return replies.refuse(c, result.refusal)
      const { params, bytes, atMs, maxAgeS } = result
      c.set('atMs', atMs)
      const headers = { 'cache-control': `public, max-age=${maxAgeS}` }
      const spoilt = await inject(c, { operation, given, good: { params, bytes, headers } })
      return spoilt ?? replies.send(c, 200, bytes, headers)
    })
  }
  if (options.document !== undefined) {
    const document = Buffer.from(JSON.stringify(options.document))
    app.get(DOCUMENT_PATH, (c) => replies.send(c, 200, document, {}))
  }
  app.notFound((c) => replies.refuse(c, { kind: 'no_path' }))
  app.onError((fault, c) => {
    c.set('fault', fault)
    return replies.refuse(c, { kind: 'fault' })
  })
  return { app, isOpen: options.keys === null }
}

function recordRequests(
  realClock: Clock,
  latencyMs: number,
  record: ServiceOptions['log'],
): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const atMs = realClock.nowMs()
    const startedMs = performance.now()
    if (latencyMs > 0) await sleep(latencyMs)
    await next()
    const url = new URL(c.req.url)
    record?.({
      method: c.req.method,
      path: url.pathname,
      query: redactQuery(url.search),
      status: c.get('loggedStatus') ?? c.res.status,
      durationMs: performance.now() - startedMs,
      operation: c.get('operation')?.id ?? null,
      atMs,
      from: c.get('wrongKeyFrom'),
      fault: c.get('fault'),
      injected: c.get('injected'),
    })
  }
}

/** An operation's path as a route of the service: `coins/{id}/ohlc` -> `/v2/coins/:id/ohlc`. */
function routePattern(operation: Operation, basePath: string): string {
  return `${basePath}/${operation.id.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/** Sorts fixed segments before placeholders: `coins/list` is the list, not the coin with the id `list`. */
function byPrecedence(operations: readonly Operation[]): Operation[] {
  // A high code point sorts after every fixed segment.
  const keyOf = ({ id }: Operation): string => id.replaceAll(/\{\w+\}/g, '\u{ffff}')
  return operations.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
