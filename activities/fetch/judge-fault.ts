import { checkService } from '../../api/check-service.ts'
import type { GetOptions, SourceAnswer, SourceClient } from '../../api/client.ts'
import {
  SourceAuthError,
  SourceError,
  SourceRequestError,
  SourceUnavailableError,
} from '../../api/errors.ts'
import { KNOWN_PINGS } from '../../config/profiles.ts'

/** A client's service, as its answers and faults have shown it. */
interface Service {
  /** Whether a good answer came: the address is right. */
  isProven: boolean
  /** The ping before any good answer. All pages of the client share its result. */
  firstPing: { fault: Promise<PingFault>; failedAtMs: number } | null
  /** The faults since the last sign of life. */
  trouble: { sinceMs: number; faults: number; isDown: boolean } | null
}

/** The fault of a ping; null: the service answered; 'waits': no ping may leave now. */
type PingFault = SourceError | null | 'waits'

const services = new WeakMap<SourceClient, Service>()

/** Pages in flight share the fault of a first ping. Later runs ping again. */
const SHARED_FOR_MS = 60_000
/** More faults than one bad slice causes with its 6 tries. */
const MIN_FAULTS = 12
/** Longer than the service takes to restart. */
const PATIENCE_MS = 60_000
/** A service that says when to ask again, as in maintenance, gets more time. */
const PATIENCE_WHEN_TOLD_MS = 15 * 60_000

/** Codes of answers that a wrong address gives, but also the right service. */
const DOUBTFUL_CODES: ReadonlySet<string> = new Set([
  'SOURCE_NOT_JSON',
  'SOURCE_NOT_FOUND',
  'SOURCE_BAD_REQUEST',
  'SOURCE_REDIRECTED',
  'SOURCE_DATA',
])

function serviceOf(client: SourceClient): Service {
  const known = services.get(client) ?? { isProven: false, firstPing: null, trouble: null }
  services.set(client, known)
  return known
}

/** Notes an answer: a sign of life, even if it says wait. A good one proves the address. */
export function noteAnswer(client: SourceClient, answer: SourceAnswer): void {
  const service = serviceOf(client)
  if (answer.status !== null) service.trouble = null
  if (answer.kind === 'ok') service.isProven = true
}

/**
 * Examines a fault by a `ping`, which counts as a call of the failed page. A ping leaves in two cases:
 *
 * - before any good answer, because source.base_url may be wrong. Healthy runs never ping, so a plan's price stays exact;
 * - after a minute of faults, because a dead service would fail slice after slice for hours.
 *
 * @returns the error to raise: the fault itself, or one that ends the run.
 * @throws MonthSpentError, or the reason of the signal, when a ping may not leave.
 */
export async function judgeFault(
  client: SourceClient,
  fault: SourceError,
  options: GetOptions,
  nowMs = performance.now(),
): Promise<SourceError> {
  const service = serviceOf(client)
  const first = service.isProven ? fault : await judgeFirstFault(client, fault, options, nowMs)
  return first === fault ? judgeOutage(client, fault, options, nowMs) : first
}

/** Before any good answer: a wrong address and an unreachable one end the run without retries. */
async function judgeFirstFault(
  client: SourceClient,
  fault: SourceError,
  options: GetOptions,
  nowMs: number,
): Promise<SourceError> {
  if (fault.code === 'SOURCE_UNREACHABLE') return unreachableError(fault.message, fault)
  if (!DOUBTFUL_CODES.has(fault.code) && !isSilence(fault)) return fault
  const service = serviceOf(client)
  const shared = service.firstPing
  const isShared = shared !== null && nowMs - shared.failedAtMs < SHARED_FOR_MS
  // Another page may have been stopped in its ping. That proves nothing about this page.
  const pinged = isShared
    ? await shared.fault.catch(() => null)
    : await beginPing(service, () => pingFault(client, { ...options, pings: KNOWN_PINGS }))
  if (!(pinged instanceof SourceError) || service.isProven) return fault
  if (pinged.code === 'SOURCE_NOT_A_SERVICE') return pinged
  return isSilence(fault) && isSilence(pinged) ? unreachableError(pinged.message, fault) : fault
}

/** Only a fault is shared after the ping: a good ping proves the address, any other end proves nothing. */
async function beginPing(service: Service, ask: () => Promise<PingFault>): Promise<PingFault> {
  const ping = { fault: ask(), failedAtMs: Infinity }
  service.firstPing = ping
  let fault: PingFault = 'waits'
  try {
    fault = await ping.fault
    return fault
  } finally {
    ping.failedAtMs = fault instanceof SourceError ? performance.now() : -Infinity
    if (fault === null) service.isProven = true
  }
}

async function pingFault(
  client: SourceClient,
  options: Parameters<typeof checkService>[1],
): Promise<PingFault> {
  try {
    const { status } = await checkService(client, options)
    return status === null ? 'waits' : null
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
}

/**
 * After a minute of faults without a sign of life the run ends, unless a ping is answered. While the key must wait, no
 * ping leaves: after a quarter of an hour a fault with Retry-After ends the run.
 */
async function judgeOutage(
  client: SourceClient,
  fault: SourceError,
  options: GetOptions,
  nowMs: number,
): Promise<SourceError> {
  const service = serviceOf(client)
  if (!fault.retryable) {
    if (fault.facts.status !== null) service.trouble = null
    return fault
  }
  const trouble = (service.trouble ??= { sinceMs: nowMs, faults: 0, isDown: false })
  trouble.faults += 1
  const lastedMs = nowMs - trouble.sinceMs
  if (trouble.isDown) return downError(fault, lastedMs)
  if (trouble.faults < MIN_FAULTS || lastedMs < PATIENCE_MS) return fault
  // Other pages that fail during the ping keep their own fault.
  trouble.faults = 0
  const pinged = await pingFault(client, options)
  if (pinged === 'waits' && (fault.retryAtMs === undefined || lastedMs < PATIENCE_WHEN_TOLD_MS)) {
    // The next fault asks again.
    trouble.faults = MIN_FAULTS
    return fault
  }
  if (isSignOfLife(pinged)) {
    service.trouble = null
    return fault
  }
  trouble.isDown = true
  return downError(fault, lastedMs)
}

/** A service that refuses the ping is alive; a web page of its proxy proves nothing. */
function isSignOfLife(pinged: PingFault): boolean {
  if (pinged === null || pinged === 'waits') return pinged === null
  const said = pinged instanceof SourceUnavailableError ? pinged.cause : pinged
  return said instanceof SourceAuthError || said instanceof SourceRequestError
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

function downError(fault: SourceError, lastedMs: number): SourceError {
  const what = `every request to the source has failed for ${Math.round(lastedMs / 1000)} s`
  return new SourceUnavailableError(`${what}: ${fault.message}`, {
    code: 'SOURCE_DOWN',
    hint: 'Run the same command again when the service answers: the run goes on where it stopped.',
    calls: fault.facts.calls,
    retryable: false,
    cause: fault,
  })
}
