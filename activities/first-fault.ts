import { checkService } from '../api/check-service.ts'
import type { SourceClient } from '../api/client.ts'
import { SourceError, SourceUnavailableError } from '../api/errors.ts'
import { profiles } from '../config/profiles.ts'

/** Clients that have had a good answer: whatever fails after it, the address is right. */
const proven = new WeakSet<SourceClient>()
/** What a ping has said of the others: null = it is the service. One ping for all pages in flight. */
const pings = new WeakMap<SourceClient, Promise<SourceError | null>>()

/** Answers that a wrong address gives as well as a service that was asked for the wrong thing. */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'SOURCE_NOT_JSON',
  'SOURCE_NOT_FOUND',
  'SOURCE_BAD_REQUEST',
  'SOURCE_DATA',
])

/** Any of them will do: recordings of one provider may be served under the profile of another. */
const KNOWN_PINGS = Object.values(profiles).map(({ ping }) => ping)

/** The client has been answered as its service answers. */
export function noteGoodAnswer(client: SourceClient): void {
  proven.add(client)
}

/**
 * A fault before the first good answer may mean that source.base_url names something else. Then one
 * `ping` is asked, and never on a healthy way, so that a plan's price stays exact. An address where
 * nothing answers at all is not asked again for half a minute, but told to the user at once.
 *
 * @param onPermit called before each physical request: a ping is a call too.
 * @returns the error to raise: the fault itself, or one that ends the run.
 */
export async function judgeFirstFault(
  client: SourceClient,
  fault: SourceError,
  onPermit: () => void,
): Promise<SourceError> {
  if (proven.has(client)) return fault
  if (fault.code === 'SOURCE_UNREACHABLE') return withoutRetry(fault)
  if (!DOUBTFUL.has(fault.code)) return fault
  let answer = pings.get(client)
  if (answer === undefined) {
    answer = askPing(client, onPermit)
    pings.set(client, answer)
  }
  return (await answer) ?? fault
}

async function askPing(client: SourceClient, onPermit: () => void): Promise<SourceError | null> {
  try {
    await checkService(client, { pings: KNOWN_PINGS, onPermit })
    return null
  } catch (error) {
    const isOther = error instanceof SourceError && error.code === 'SOURCE_NOT_A_SERVICE'
    return isOther ? error : null
  }
}

function withoutRetry(fault: SourceError): SourceError {
  const { code, hint, message, facts } = fault
  return new SourceUnavailableError(message, {
    code,
    hint,
    calls: facts.calls,
    retryable: false,
    cause: fault,
  })
}
