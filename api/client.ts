import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../config/clock.ts'
import { crashPoint } from '../config/crash-point.ts'
import { runLongStep } from '../config/long-step.ts'
import type { DateFormat } from '../config/profiles.ts'
import type { Secret } from '../config/values/secret.ts'
import { type AnswerContext, readAnswer, type SourceAnswer } from './answer.ts'
import { SourceError } from './errors.ts'
import { createSender, type RawAnswer } from './send-request.ts'
import { createDispatcher, type DispatcherOptions } from './http-dispatcher.ts'
import type { Operation } from './operations.ts'
import type { ParamValues } from './operations/describe-operation.ts'
import { operationPath } from './operation-path.ts'
import type { Pacer } from './pacer.ts'
import { readRetryAfter } from './rate-headers.ts'
import { mayRetryAtOnce, transportError, wasSent } from './transport-error.ts'

export type { SourceAnswer } from './answer.ts'

export interface SourceClientOptions extends DispatcherOptions {
  /** The header of the key. `{key}` in the template stands for the key. null: no key. */
  auth: { header: string; template: string; key: Secret } | null
  /** The form in which the service wants calendar dates. Default YYYY-MM-DD. */
  dateFormat?: DateFormat
  /** One per key and process. */
  pacer: Pacer
  /** coinlake's version for User-Agent. CDNs refuse the default User-Agents of HTTP libraries. */
  version: string
  /** Default: the real clock. */
  clock?: Clock
  /** Largest body of a good answer, decoded. */
  maxBodyBytes: number
}

export interface GetOptions {
  /** After this signal no request leaves, but one in flight is awaited. Called before each request. */
  sendingStop?: () => AbortSignal
  /** Whether the call may use the month's reserve. Backfills may not. Default false. */
  mayUseReserve?: boolean
  /** Called after each request that was sent. A refused connection sends nothing. */
  onSent?: () => void
}

/** Asks one service. Safe for many callers at once. */
export interface SourceClient {
  readonly rootUrl: string
  /**
   * Asks one operation once. Too many requests give the answer `throttled`, and no error. A demanded wait of more
   * than 10 s gives `throttled` without a request.
   *
   * @throws SourceAuthError, SourcePlanError, SourceRequestError, SourceUnavailableError, SourceDataError
   * @throws CoinlakeError BAD_PARAM, and the reason of `sendingStop`
   */
  get(operation: Operation, params: ParamValues, options?: GetOptions): Promise<SourceAnswer>
  close(): Promise<void>
}

/** Waits before a repetition after a connection fault. The caller retries all other faults. */
const RETRY_DELAYS_MS = [100, 400]
const RETRY_WITHIN_MS = 1_000
const MAX_WAIT_FOR_PERMIT_MS = 10_000
const MAX_REDIRECTS = 3
/** A body up to this size is read in a fraction of a millisecond. */
const SHORT_BODY_BYTES = 16 * 1024

export function createSourceClient(options: SourceClientOptions): SourceClient {
  const { rootUrl, auth, pacer, timeoutMs, maxBodyBytes } = options
  const clock = options.clock ?? systemClock
  const dispatcher = createDispatcher(options)
  const sendOnce = createSender({
    dispatcher,
    headers: {
      'user-agent': `coinlake/${options.version}`,
      ...(auth === null
        ? {}
        : { [auth.header]: auth.template.replace('{key}', () => auth.key.reveal()) }),
    },
    pacer,
    clock,
    timeoutMs,
    maxBodyBytes,
  })

  /** URL of the latest answer, if that was a fault with Retry-After; else null. */
  let troubledUrl: string | null = null

  async function get(
    operation: Operation,
    params: ParamValues,
    { sendingStop, mayUseReserve = false, onSent }: GetOptions = {},
  ): Promise<SourceAnswer> {
    const startedAtMs = clock.nowMs()
    let url = `${rootUrl}/${operationPath(operation, params, options.dateFormat)}`
    let firstSentAtMs = Infinity
    let calls = 0
    let faults = 0
    let redirects = 0
    const noteSent = (): void => {
      calls++
      onSent?.()
    }
    for (;;) {
      crashPoint('permit.before')
      const permit = await pacer.acquire({
        signal: sendingStop?.(),
        maxBlockMs: MAX_WAIT_FOR_PERMIT_MS,
        mayUseReserve,
      })
      if (!permit.granted) {
        const untilMs = permit.blockedUntilMs
        return { kind: 'throttled', untilMs, status: null, calls, url, reason: 'told to wait' }
      }
      crashPoint('permit.after')
      firstSentAtMs = Math.min(firstSentAtMs, clock.nowMs())
      let raw: RawAnswer
      try {
        raw = await sendOnce(url, calls + 1)
        noteSent()
      } catch (error) {
        if (wasSent(error)) noteSent()
        if (error instanceof SourceError) throw error
        const delayMs = RETRY_DELAYS_MS[faults++]
        if (!mayRetry(error, delayMs, firstSentAtMs)) {
          throw transportError(error, { url, calls, timeoutMs })
        }
        await sleep(delayMs, undefined, { signal: sendingStop?.() }).catch(() => undefined)
        continue
      }
      const next = redirects++ < MAX_REDIRECTS ? sameHostRedirect(url, raw) : null
      if (next !== null) {
        url = next
        continue
      }
      const nowMs = clock.nowMs()
      const durationMs = nowMs - startedAtMs
      const key = auth?.key ?? null
      return await judge(operation, raw, { url, calls, nowMs, durationMs, key })
    }
  }

  /** Whether a repetition and the wait for its permit end within a second of the first try. */
  function mayRetry(error: unknown, delayMs: number | undefined, firstSentAtMs: number): boolean {
    if (delayMs === undefined || !mayRetryAtOnce(error)) return false
    const againAtMs = Math.max(clock.nowMs() + delayMs, pacer.earliestPermitMs())
    return againAtMs - firstSentAtMs < RETRY_WITHIN_MS
  }

  async function judge(
    operation: Operation,
    raw: RawAnswer,
    context: AnswerContext,
  ): Promise<SourceAnswer> {
    const { byteLength } = raw.body
    const read = (): ReturnType<typeof readAnswer> => readAnswer(operation, raw, context)
    // A refusal is short and stops all callers, so it waits for no other answer.
    const answer =
      byteLength <= SHORT_BODY_BYTES
        ? read()
        : await runLongStep(() => `reading GET ${context.url} (${byteLength} bytes)`, read)
    if (answer instanceof SourceError) {
      const headerTimes = { nowMs: context.nowMs, dateMs: raw.dateMs }
      const retryAtMs = answer.retryable ? readRetryAfter(raw.headers, headerTimes) : null
      if (retryAtMs !== null) {
        answer.retryAtMs = retryAtMs
        // One page in trouble may be the only one. The second one in a row blames the service.
        if (troubledUrl !== null && troubledUrl !== context.url) pacer.throttle(retryAtMs)
      }
      troubledUrl = retryAtMs === null ? null : context.url
      throw answer
    }
    troubledUrl = null
    if (answer.kind === 'throttled') {
      pacer.noteRefusal()
      pacer.throttle(answer.untilMs)
    }
    return answer
  }

  return { rootUrl, get, close: () => dispatcher.close() }
}

/** The target of a redirect on the same host; else null, because the key must not travel elsewhere. */
function sameHostRedirect(url: string, raw: RawAnswer): string | null {
  const location = raw.headers['location']
  if (raw.status < 300 || raw.status >= 400 || typeof location !== 'string') return null
  if (!URL.canParse(location, url)) return null
  const target = new URL(location, url)
  return target.origin === new URL(url).origin ? target.href : null
}
