import { checkService } from '../../api/check-service.ts'
import type { GetOptions, SourceClient } from '../../api/client.ts'
import {
  SourceAuthError,
  SourceError,
  SourceRequestError,
  SourceUnavailableError,
} from '../../api/errors.ts'

/** The faults of a client since its service's last sign of life. */
interface Trouble {
  sinceMs: number
  faults: number
  /** Whether a ping has failed too. Every further fault then ends the run. */
  isDown: boolean
}

const troubles = new WeakMap<SourceClient, Trouble>()

/** More faults than one bad slice causes with its 6 tries. */
const MIN_FAULTS = 12
/** Longer than the service takes to restart. */
const PATIENCE_MS = 60_000
/** A service that says when to ask again, as in maintenance, gets more time. */
const PATIENCE_WHEN_TOLD_MS = 15 * 60_000

/** Notes an answer of the service, even a refusal. */
export function noteSignOfLife(client: SourceClient): void {
  troubles.delete(client)
}

/**
 * Finds out whether the service is dead: a dead one would fail slice after slice for hours. After a minute of faults the
 * client asks `ping`. Without an answer the run ends. While the key must wait, no ping leaves: after a quarter of an hour
 * a fault with Retry-After ends the run.
 *
 * @param options those of the failed request: a ping is a call of its page.
 * @returns the error to raise: the fault itself, or SOURCE_DOWN, which ends the run.
 */
export async function judgeOutage(
  client: SourceClient,
  fault: SourceError,
  options: GetOptions,
  nowMs = Date.now(),
): Promise<SourceError> {
  if (!fault.retryable) {
    if (fault.facts.status !== null) noteSignOfLife(client)
    return fault
  }
  const trouble = troubles.get(client) ?? { sinceMs: nowMs, faults: 0, isDown: false }
  troubles.set(client, trouble)
  trouble.faults += 1
  const lastedMs = nowMs - trouble.sinceMs
  if (trouble.isDown) return downError(fault, lastedMs)
  if (trouble.faults < MIN_FAULTS || lastedMs < PATIENCE_MS) return fault
  // Other pages that fail during the ping keep their own fault.
  trouble.faults = 0
  const isAlive = await answersPing(client, options)
  if (isAlive === null && (fault.retryAtMs === undefined || lastedMs < PATIENCE_WHEN_TOLD_MS)) {
    // The next fault asks again.
    trouble.faults = MIN_FAULTS
    return fault
  }
  if (isAlive === true) {
    noteSignOfLife(client)
    return fault
  }
  trouble.isDown = true
  return downError(fault, lastedMs)
}

/** null: the key must wait, so no ping left. */
async function answersPing(client: SourceClient, options: GetOptions): Promise<boolean | null> {
  try {
    const { status } = await checkService(client, options)
    return status === null ? null : true
  } catch (error) {
    // A service that refuses the ping is alive; a web page of its proxy proves nothing. A stop or a spent month can
    // prevent the ping, which proves nothing either.
    if (!(error instanceof SourceError)) throw error
    const said = error instanceof SourceUnavailableError ? error.cause : error
    return said instanceof SourceAuthError || said instanceof SourceRequestError
  }
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
