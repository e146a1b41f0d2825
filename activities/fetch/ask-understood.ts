import type { SourceClient } from '../../api/client.ts'
import { SourceError } from '../../api/errors.ts'
import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { waysToAsk } from '../../api/ways-to-ask.ts'
import type { PageLimits } from './page-limits.ts'
import { askSource } from './ask-source.ts'
import type { AskDeps, GoodAnswer, SourceRequest, ThrottledAnswer } from './ask-source.ts'
import { SERVED_CODES } from './lost-requests.ts'

/** The way (ways-to-ask.ts) that a service understands of an operation. */
interface KnownWay {
  way: number
  /** The next request from this time on asks in the best way, in `performance.now()`. */
  doubtAtMs: number
  /** A plainer way that was answered after a refusal of the best, before a second refusal has confirmed it. */
  unconfirmed: number | null
  /** Settles when the newest search for a plainer way is over. */
  search: Promise<unknown>
}

/** By client, and by the operation with the names of what may be left out. */
const knownWays = new WeakMap<SourceClient, Map<string, KnownWay>>()

/** A service may have refused by mistake, or learned a parameter; a refused call an hour is little. */
const DOUBT_AFTER_MS = 3_600_000

/**
 * Asks the source in the best way that it understands, and hands the answer and its parameters to `use`. A request
 * that the service refuses is repeated with fewer parameters. Before such an answer is used, the better request is sent
 * again, because the refusal may have been of the moment. A second one is believed for an hour: later requests leave
 * the parameters out at once. Every call is recorded.
 *
 * @throws the first refusal when the service understands no way, and errors of the client and of `use`.
 */
export async function askUnderstood<T>(
  deps: AskDeps,
  request: SourceRequest,
  limits: PageLimits,
  use: (answer: GoodAnswer, params: ParamValues) => Promise<T>,
): Promise<T | ThrottledAnswer> {
  const ways = waysToAsk(request.operation, request.params)
  const known = knownWayOf(deps.client, request.operation, ways)
  const believe = (way: number): void => {
    known.way = way
    known.unconfirmed = null
    known.doubtAtMs = way === 0 ? Infinity : performance.now() + DOUBT_AFTER_MS
  }
  /** A way that was refused twice is believed, and the page's event names what it leaves out. */
  const settle = (way: number): void => {
    believe(way)
    limits.leftOut = Object.keys(ways[0]!).filter((name) => !(name in ways[way]!))
  }
  const ask = (way: number): Promise<T | ThrottledAnswer> => {
    const params = ways[way]!
    return askSource(deps, { ...request, params }, limits, async (answer) => {
      if (way === 0 && ways.length > 1) believe(0)
      if (way > known.way && known.unconfirmed === way) settle(way)
      else if (way > known.way) {
        known.unconfirmed = way
        const better = await confirm(way)
        if (better !== null) {
          await answer.recordLost(SERVED_CODES.parametersProbe)
          return better.result
        }
      }
      return use(answer, params)
    })
  }
  /** Asks in the next better way again; null = refused again. */
  async function confirm(way: number): Promise<{ result: T | ThrottledAnswer } | null> {
    try {
      return { result: await ask(way - 1) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      settle(way)
      return null
    }
  }
  async function askPlainer(refusal: unknown): Promise<T | ThrottledAnswer> {
    for (let way = Math.max(1, known.way); way < ways.length; way++) {
      try {
        return await ask(way)
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    }
    throw refusal
  }

  // Later pages may have fewer ways than the first.
  const isSure = ways.length === 1 || performance.now() < known.doubtAtMs
  if (isSure) return ask(Math.min(known.way, ways.length - 1))
  // Of the requests under way only this one doubts.
  if (known.way > 0) believe(known.way)
  try {
    return await ask(0)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Requests that are refused at the same time leave the search to the first.
    await known.search
    const found = askPlainer(error)
    known.search = found.catch(() => undefined)
    return await found
  }
}

function knownWayOf(
  client: SourceClient,
  operation: OperationId,
  ways: readonly ParamValues[],
): KnownWay {
  const ofClient = knownWays.get(client) ?? new Map<string, KnownWay>()
  knownWays.set(client, ofClient)
  const extras = Object.keys(ways[0]!).filter((name) => !(name in ways.at(-1)!))
  const key = [operation, ...extras.toSorted()].join(' ')
  const known = ofClient.get(key)
  if (known !== undefined) return known
  const unknown = { way: 0, doubtAtMs: -Infinity, unconfirmed: null, search: Promise.resolve() }
  ofClient.set(key, unknown)
  return unknown
}

/** Status 400 or 422: the parameters are unknown, or their values wrong. */
function isRefusal(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'SOURCE_BAD_REQUEST'
}
