import { setTimeout as sleep } from 'node:timers/promises'
import { checkService } from '../../api/check-service.ts'
import type { GetOptions, SourceClient } from '../../api/client.ts'
import { SourceError, SourceUnavailableError } from '../../api/errors.ts'
import { KNOWN_PINGS } from '../../config/profiles.ts'

/** Clients with a good answer so far: their address is right. */
const proven = new WeakSet<SourceClient>()
/** The ping of each client. All its pages share the result. */
const pings = new WeakMap<SourceClient, Ping>()

type PingFault = SourceError | null | 'waits'

interface Ping {
  /** The fault; null: the service answered, which holds for good; 'waits': no ping may leave now. */
  fault: Promise<PingFault>
  /** When the ping failed, in `performance.now()`; Infinity = it has not failed. */
  failedAtMs: number
}

/** Pages in flight share the fault of a ping. The runs of a later window ping again. */
const SHARED_FOR_MS = 60_000

/** Codes of answers that a wrong address gives, but also the right service. */
const DOUBTFUL_CODES: ReadonlySet<string> = new Set([
  'SOURCE_NOT_JSON',
  'SOURCE_NOT_FOUND',
  'SOURCE_BAD_REQUEST',
  'SOURCE_REDIRECTED',
  'SOURCE_DATA',
])

/** A proxy in trouble answers with a web page, or not at all, for a moment. */
const SECOND_PING_AFTER_MS = 1_000

/** Notes that the client's address is right. An empty list does not prove it. */
export function noteGoodAnswer(client: SourceClient, json: unknown): void {
  if (!Array.isArray(json) || json.length > 0) proven.add(client)
}

/**
 * Examines a fault before any good answer, because source.base_url may be wrong: the client asks `ping`, once or twice.
 * Healthy runs never ping, so a plan's price stays exact. An unreachable address ends the run without retries.
 *
 * @param options those of the failed request: a ping is a call of its page.
 * @returns the error to raise: the fault itself, or one that ends the run.
 */
export async function judgeFirstFault(
  client: SourceClient,
  fault: SourceError,
  options: GetOptions,
  nowMs = performance.now(),
): Promise<SourceError> {
  if (proven.has(client)) return fault
  if (fault.code === 'SOURCE_UNREACHABLE') return unreachableError(fault.message, fault)
  if (!DOUBTFUL_CODES.has(fault.code) && !isSilence(fault)) return fault
  const shared = pings.get(client)
  const isShared = shared !== undefined && nowMs - shared.failedAtMs < SHARED_FOR_MS
  // Another page may have been stopped in its ping. That proves nothing about this page.
  const pinged = isShared ? await shared.fault.catch(() => null) : await beginPing(client, options)
  if (pinged === null || pinged === 'waits' || proven.has(client)) return fault
  if (isNoService(pinged)) return pinged
  return isSilence(fault) && isSilence(pinged) ? unreachableError(pinged.message, fault) : fault
}

async function beginPing(client: SourceClient, options: GetOptions): Promise<PingFault> {
  const ping: Ping = { fault: askPing(client, options), failedAtMs: Infinity }
  pings.set(client, ping)
  try {
    const fault = await ping.fault
    if (fault === 'waits') pings.delete(client)
    else if (fault !== null) ping.failedAtMs = performance.now()
    return fault
  } catch (error) {
    pings.delete(client)
    throw error
  }
}

/**
 * The fault of the ping. After a fault that may pass, a second ping decides.
 *
 * @throws MonthSpentError, or the reason of the signal
 */
async function askPing(client: SourceClient, options: GetOptions): Promise<PingFault> {
  const first = await pingOnce(client, options)
  if (first === null || first === 'waits' || first.code === 'SOURCE_TIMEOUT') return first
  const saysNoJson = first.cause instanceof SourceError && first.cause.code === 'SOURCE_NOT_JSON'
  if (!saysNoJson && !isSilence(first)) return first
  await sleep(SECOND_PING_AFTER_MS)
  return pingOnce(client, options)
}

async function pingOnce(client: SourceClient, options: GetOptions): Promise<PingFault> {
  try {
    const { status } = await checkService(client, { ...options, pings: KNOWN_PINGS })
    return status === null ? 'waits' : null
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
}

function isNoService(pinged: SourceError): boolean {
  return pinged.code === 'SOURCE_NOT_A_SERVICE'
}

/** Whether no byte of an answer came. */
function isSilence({ retryable, facts }: SourceError): boolean {
  return retryable && facts.status === null
}

function unreachableError(message: string, fault: SourceError): SourceError {
  return new SourceUnavailableError(message, {
    code: 'SOURCE_UNREACHABLE',
    hint:
      fault.code === 'SOURCE_UNREACHABLE'
        ? fault.hint
        : 'Check source.base_url, the network and HTTPS_PROXY; is the service running?',
    calls: fault.facts.calls,
    retryable: false,
    cause: fault,
  })
}
