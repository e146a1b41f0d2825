import type { Operation, ParamValues } from '../../api/operation.ts'
import { stream, uniform } from '../market/random.ts'
import type { FaultOrder } from './fault-order.ts'

/** A fault that has been drawn for an asking. */
export interface DrawnFault {
  order: FaultOrder
  /** Uniform in [0, 1), from the seed, the request and the number of its asking. */
  draw: (purpose: string, index?: number) => number
  /** To be called when it was applied: `times` counts what was met, not what was drawn. */
  struck: () => void
}

/**
 * Draws, for every request, the faults it may meet. The draw follows from the seed, the request and how often that
 * request came before, never from other requests: equal requests in another order meet equal faults. Faults of the
 * whole service are the exception, since they have one count.
 */
export function createFaultDraws(
  orders: readonly FaultOrder[],
): (operation: Operation, params: ParamValues) => DrawnFault[] {
  const counters = orders.map(() => new Map<string, { asked: number; struck: number }>())
  return (operation, params) => {
    const entities = entitiesOf(operation, params)
    return orders.flatMap((order, place) => {
      if (!isMeant(order, operation, entities)) return []
      const identity = identityOf(order, operation, params)
      const counter = counters[place]!.get(identity) ?? { asked: 0, struck: 0 }
      counters[place]!.set(identity, counter)
      const asking = counter.asked++
      if (asking < order.after || counter.struck >= order.times) return []
      const isOnce = order.permanent || order.kind.scope === 'entity'
      // The place keeps two orders of one kind apart.
      const purpose = `${place} ${order.kind.name} ${identity}`
      const number = isOnce ? 0 : asking
      if (uniform(stream(order.seed, purpose), number) >= order.rate) return []
      return [
        {
          order,
          draw: (what, index = 0) =>
            uniform(stream(order.seed, `${what} ${purpose}`, number), index),
          struck: () => {
            counter.struck += 1
          },
        },
      ]
    })
  }
}

function isMeant(
  { operations, entities }: FaultOrder,
  operation: Operation,
  asked: readonly string[],
): boolean {
  if (operations !== null && !operations.includes(operation.id)) return false
  return entities === null || asked.some((entity) => entities.includes(entity))
}

/** The identity that a fault is drawn and counted for. */
function identityOf({ kind }: FaultOrder, operation: Operation, params: ParamValues): string {
  if (kind.scope === 'service') return ''
  if (kind.scope === 'entity') return pathValues(operation, params).join(' ')
  const pairs = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([operation.id, pairs])
}

/** Ids in the path and in lists of ids. */
function entitiesOf(operation: Operation, params: ParamValues): readonly string[] {
  const lists = operation.params.filter(({ type, isCurrency }) => type === 'csv' && !isCurrency)
  const listed = lists.flatMap(({ name }) => (params[name] ?? '').split(','))
  return [...pathValues(operation, params), ...listed.map((one) => one.trim())]
}

function pathValues(operation: Operation, params: ParamValues): string[] {
  const names = operation.params.filter((param) => param.in === 'path').map(({ name }) => name)
  return names.flatMap((name) => params[name] ?? [])
}
