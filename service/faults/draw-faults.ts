import type { Operation } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { streamSeed, uniform } from '../market/random.ts'
import type { FaultOrder } from './fault-order.ts'

/**
 * Draws the faults of every request. A draw depends only on the seed, the request and the number of its repetitions. So
 * the same requests in another order meet the same faults. Faults of scope `service` count all requests together.
 */
export function createFaultDraws(orders: readonly FaultOrder[]) {
  const counters = orders.map(() => new Map<string, { asked: number; applied: number }>())
  return (operation: Operation, params: ParamValues) => {
    const entities = entitiesOf(operation, params)
    return orders.flatMap((order, index) => {
      if (!isTarget(order, operation, entities)) return []
      const identity = identityOf(order, operation, params)
      const counter = counters[index]!.get(identity) ?? { asked: 0, applied: 0 }
      counters[index]!.set(identity, counter)
      const repetition = counter.asked++
      if (repetition < order.after || counter.applied >= order.times) return []
      const isDrawnOnce = order.permanent || order.kind.scope === 'entity'
      // The index tells two orders of one kind apart.
      const purpose = `${index} ${order.kind.name} ${identity}`
      const number = isDrawnOnce ? 0 : repetition
      if (uniform(streamSeed(order.seed, purpose), number) >= order.rate) return []
      return [
        {
          order,
          draw: (what: string, at = 0): number =>
            uniform(streamSeed(order.seed, `${what} ${purpose}`, number), at),
          /** Claims one of the `times`, once the fault turns out to fit. false: requests in parallel have claimed all. */
          claim: (): boolean => counter.applied++ < order.times,
        },
      ]
    })
  }
}

function isTarget(
  { operations, entities }: FaultOrder,
  operation: Operation,
  asked: readonly string[],
): boolean {
  if (operations?.includes(operation.id) === false) return false
  return entities === undefined || asked.some((entity) => entities.includes(entity))
}

/** A fault is drawn and counted by this key. */
function identityOf({ kind }: FaultOrder, operation: Operation, params: ParamValues): string {
  if (kind.scope === 'service') return ''
  if (kind.scope === 'entity') return pathValues(operation, params).join(' ')
  const pairs = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([operation.id, pairs])
}

/** The ids in the path and in lists of ids. */
function entitiesOf(operation: Operation, params: ParamValues): readonly string[] {
  const lists = operation.params.filter(({ type, isCurrency }) => type === 'csv' && !isCurrency)
  const listed = lists.flatMap(({ name }) => (params[name] ?? '').split(','))
  return [...pathValues(operation, params), ...listed.map((one) => one.trim())]
}

function pathValues(operation: Operation, params: ParamValues): string[] {
  const names = operation.params.filter((param) => param.in === 'path').map(({ name }) => name)
  return names.flatMap((name) => params[name] ?? [])
}
