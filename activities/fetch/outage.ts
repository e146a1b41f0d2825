import { checkService } from '../../api/check-service.ts'
import type { SourceClient } from '../../api/client.ts'
import { SourceAuthError, SourceRequestError, SourceUnavailableError } from '../../api/errors.ts'
import type { SourceError } from '../../api/errors.ts'

/** The faults of a client since its service's last sign of life. */
interface Trouble {
  sinceMs: number
  faults: number
  /** Whether a ping failed too: then no page waits any more. */
  isDown: boolean
}

const troubles = new WeakMap<SourceClient, Trouble>()

/** Above the six tries of one bad slice, and above a restart of the service. */
const FAULTS = 12
const PATIENCE_MS = 60_000

/** Notes an answer of the service; a refusal is an answer too. */
export function noteSignOfLife(client: SourceClient): void {
  troubles.delete(client)
}

/**
 * A dead service would fail every slice after six tries, which takes hours and costs calls. After a minute with
 * nothing but faults the client asks `ping`: with an answer the run goes on, since only some requests fail; without
 * one the run ends.
 *
 * @param onSent called after each request that was sent: a ping is a call too.
 * @returns the error to raise: the fault itself, or SOURCE_DOWN, which ends the run.
 */
export async function judgeOutage(
  client: SourceClient,
  fault: SourceError,
  onSent: () => void,
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
  if (trouble.isDown) return down(fault, lastedMs)
  if (trouble.faults < FAULTS || lastedMs < PATIENCE_MS) return fault
  // Pages that fail while the ping is under way keep their own fault.
  trouble.faults = 0
  if (await answersPing(client, onSent)) {
    noteSignOfLife(client)
    return fault
  }
  trouble.isDown = true
  return down(fault, lastedMs)
}

async function answersPing(client: SourceClient, onSent: () => void): Promise<boolean> {
  try {
    await checkService(client, { onSent })
    return true
  } catch (error) {
    // A refusal proves the service, even one without ping; a web page of its edge does not.
    const said = error instanceof SourceUnavailableError ? error.cause : error
    return said instanceof SourceAuthError || said instanceof SourceRequestError
  }
}

function down(fault: SourceError, lastedMs: number): SourceError {
  const what = `the source has given nothing but trouble for ${Math.round(lastedMs / 1000)} s`
  return new SourceUnavailableError(`${what}: ${fault.message}`, {
    code: 'SOURCE_DOWN',
    hint: 'Run the same command again when the service is well: it goes on where it stopped.',
    calls: fault.facts.calls,
    retryable: false,
    cause: fault,
  })
}
