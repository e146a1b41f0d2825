import type { SourceClient } from '../../api/client.ts'
import { SourceError } from '../../api/errors.ts'
import type { OperationId, ParamValues } from '../../api/operation.ts'
import { waysToAsk } from '../../api/plain-params.ts'
import type { Asking } from './asking.ts'
import { failedCallsOf, noteFailedCalls } from './failed-calls.ts'
import { askSource } from './ask-source.ts'
import type { AskDeps, GoodAnswer, SourceRequest, ThrottledAnswer } from './ask-source.ts'

/** How each service is asked for each operation, once that is known: the index of the way. */
const understood = new WeakMap<SourceClient, Map<OperationId, number>>()

/**
 * Asks the source in the best way that it understands, and hands the answer to `use` with the
 * parameters that it was given for. A service that refuses a parameter it does not know is asked
 * again without; from then on it is asked that way at once. Every call is accounted for.
 *
 * @throws the first refusal when no way is understood, and what the client and `use` throw.
 */
export async function askUnderstood<T>(
  deps: AskDeps,
  request: SourceRequest,
  asking: Asking,
  use: (answer: GoodAnswer, params: ParamValues) => Promise<T>,
): Promise<T | ThrottledAnswer> {
  const { operation } = request
  const ways = waysToAsk(operation, request.params)
  const ask = (way: number): Promise<T | ThrottledAnswer> => {
    const params = ways[way]!
    return askSource(deps, { ...request, params }, asking, (answer) => {
      known.set(operation, way)
      return use(answer, params)
    })
  }
  const known = understood.get(deps.client) ?? new Map<OperationId, number>()
  understood.set(deps.client, known)
  const knownWay = known.get(operation)
  // Later pages may know fewer ways than the first.
  if (knownWay !== undefined) return ask(Math.min(knownWay, ways.length - 1))
  let refusal: unknown
  let calls = 0
  for (const way of ways.keys()) {
    try {
      return await ask(way)
    } catch (error) {
      calls += failedCallsOf(error)
      if (!isRefusal(error)) {
        noteFailedCalls(error, calls)
        throw error
      }
      refusal ??= error
    }
  }
  noteFailedCalls(refusal, calls)
  throw refusal
}

/** 400 and 422: what a service says to parameters that it does not know, and to wrong values. */
function isRefusal(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'SOURCE_BAD_REQUEST'
}
