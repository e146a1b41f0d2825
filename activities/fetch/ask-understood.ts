import type { SourceClient } from '../../api/client.ts'
import { SourceError } from '../../api/errors.ts'
import type { OperationId, ParamValues } from '../../api/operation.ts'
import { waysToAsk } from '../../api/ways-to-ask.ts'
import type { PageLimits } from './page-limits.ts'
import { askSource } from './ask-source.ts'
import type { AskDeps, GoodAnswer, SourceRequest, ThrottledAnswer } from './ask-source.ts'

/** For each service and operation: the index of the way (ways-to-ask.ts) that the service understands. */
const understood = new WeakMap<SourceClient, Map<OperationId, number>>()

/**
 * Asks the source in the best way that it understands, and hands the answer and its parameters to `use`. A request
 * that the service refuses is repeated with fewer parameters, and later requests leave those out at once. Every call is
 * recorded.
 *
 * @throws the first refusal when the service understands no way, and errors of the client and of `use`.
 */
export async function askUnderstood<T>(
  deps: AskDeps,
  request: SourceRequest,
  limits: PageLimits,
  use: (answer: GoodAnswer, params: ParamValues) => Promise<T>,
): Promise<T | ThrottledAnswer> {
  const { operation } = request
  const ways = waysToAsk(operation, request.params)
  const ask = (way: number): Promise<T | ThrottledAnswer> => {
    const params = ways[way]!
    return askSource(deps, { ...request, params }, limits, (answer) => {
      understoodWays.set(operation, way)
      return use(answer, params)
    })
  }
  const understoodWays = understood.get(deps.client) ?? new Map<OperationId, number>()
  understood.set(deps.client, understoodWays)
  const knownWay = understoodWays.get(operation)
  // Later pages may have fewer ways than the first.
  if (knownWay !== undefined) return ask(Math.min(knownWay, ways.length - 1))
  let refusal: unknown
  for (const way of ways.keys()) {
    try {
      return await ask(way)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** Status 400 or 422: the parameters are unknown, or their values wrong. */
function isRefusal(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'SOURCE_BAD_REQUEST'
}
