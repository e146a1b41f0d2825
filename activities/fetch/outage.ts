import { checkService } from '../../api/check-service.ts'
import type { SourceClient } from '../../api/client.ts'
import { SourceAuthError, SourceRequestError, SourceUnavailableError } from '../../api/errors.ts'
import type { SourceError } from '../../api/errors.ts'

/** What a client has met since its service last showed that it is there. */
interface Trouble {
  sinceMs: number
  faults: number
  /** Whether a ping has failed as well: then nobody waits any more. */
  isDown: boolean
}

const troubles = new WeakMap<SourceClient, Trouble>()

/** One bad slice is asked for six times, and a restart of the service takes seconds: both may pass. */
const FAULTS = 12
const PATIENCE_MS = 60_000

/** The service has answered, be it with a refusal. */
export function noteSignOfLife(client: SourceClient): void {
  troubles.delete(client)
}

/**
 * A service that is down fails every slice after its six attempts: hours of a long backfill, and
 * calls that count. When nothing but trouble has come for a minute, `ping` is asked: if it is
 * answered, only what was asked for is in trouble, and its siblings go on; if not, the run ends.
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
  // Whoever comes while the ping is under way goes on with his own fault.
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
    // A refusal is an answer, of a service without ping as well; a page of its edge is none.
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
