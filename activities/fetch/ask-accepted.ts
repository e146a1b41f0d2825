import type { SourceClient } from '../../api/client.ts'
import { SourceError } from '../../api/errors.ts'
import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { waysToAsk } from '../../api/ways-to-ask.ts'
import { orAbort } from '../../config/or-abort.ts'
import type { PageCalls } from './batch-time.ts'
import { type AskDeps, askSource, type GoodAnswer, type SourceRequest } from './ask-source.ts'
import type { ThrottledAnswer } from './throttled-answer.ts'
import { PAGELESS_CODES } from './lost-requests.ts'

/** The way (ways-to-ask.ts) that a service accepts for an operation. A higher way has fewer parameters. */
interface KnownWay {
  way: number
  /** From this time on (`performance.now()`), the next request tries the best way again. */
  tryBestAtMs: number
  /** A higher way that was accepted once. A second refusal of the next better way confirms it. */
  unconfirmed: number | null
  /** Settles when the newest search for an accepted way is over. */
  search: Promise<unknown>
}

/** By client; then by operation and the names of its optional parameters. */
const knownWays = new WeakMap<SourceClient, Map<string, KnownWay>>()

/** A refusal may have been a mistake, or the service has learned the parameter. One refused call an hour is cheap. */
const TRY_BEST_AGAIN_MS = 3_600_000

/**
 * Asks the source with all parameters that it accepts, and hands the answer and these parameters to `use`. A refused
 * request is repeated with fewer parameters. Then the better request is sent once more, because the refusal may have
 * been a mistake. After a second refusal later requests leave the parameters out at once, for an hour. Every call is
 * recorded.
 *
 * @throws the first refusal when the service accepts no way, and errors of the client and of `use`.
 */
export async function askWithAcceptedParams<T>(
  deps: AskDeps,
  request: SourceRequest,
  pageCalls: PageCalls,
  use: (answer: GoodAnswer, params: ParamValues) => Promise<T | ThrottledAnswer>,
): Promise<T | ThrottledAnswer> {
  const ways = waysToAsk(request.operation, request.params)
  const known = knownWayOf(deps.client, request.operation, ways)
  const believe = (way: number): void => {
    known.way = way
    known.unconfirmed = null
    known.tryBestAtMs = way === 0 ? Infinity : performance.now() + TRY_BEST_AGAIN_MS
  }
  /** Believes in a way after two refusals of the better one. The page's event names the parameters left out. */
  const settle = (way: number): void => {
    believe(way)
    pageCalls.leftOut = Object.keys(ways[0]!).filter((name) => !(name in ways[way]!))
  }
  const ask = (way: number): Promise<T | ThrottledAnswer> => {
    const params = ways[way]!
    return askSource(deps, { ...request, params }, pageCalls, async (answer) => {
      if (way === 0 && ways.length > 1) believe(0)
      if (way > known.way && known.unconfirmed === way) settle(way)
      else if (way > known.way) {
        known.unconfirmed = way
        const better = await confirm(way, answer)
        if (better !== null) return better.result
      }
      return use(answer, params)
    })
  }
  /** Tries the next better way once more; null = refused again. Otherwise the plainer answer becomes no page. */
  async function confirm(
    way: number,
    plainer: GoodAnswer,
  ): Promise<{ result: T | ThrottledAnswer } | null> {
    const record = () => plainer.recordLost(PAGELESS_CODES.parametersProbe)
    try {
      const result = await ask(way - 1)
      await record()
      return { result }
    } catch (error) {
      if (!isRefusal(error)) {
        await record().catch(() => undefined)
        throw error
      }
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

  // The first page may have more ways than later ones.
  const isSure = ways.length === 1 || performance.now() < known.tryBestAtMs
  if (isSure) return ask(Math.min(known.way, ways.length - 1))
  // Concurrent requests keep the known way; only this one tries the best.
  if (known.way > 0) believe(known.way)
  try {
    return await ask(0)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Of requests refused at the same time, only the first searches.
    await orAbort(known.search, pageCalls.furtherCallsStop)
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
  const unknown = { way: 0, tryBestAtMs: -Infinity, unconfirmed: null, search: Promise.resolve() }
  ofClient.set(key, unknown)
  return unknown
}

/** Status 400 or 422: the parameters are unknown, or their values wrong. */
function isRefusal(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'SOURCE_BAD_REQUEST'
}
