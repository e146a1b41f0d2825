import type { Context } from 'hono'
import type { Operation } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Profile } from '../../config/profiles.ts'
import type { createAnswers } from '../answer-operation.ts'
import type { GivenParams } from '../check-params.ts'
import type { Quotas } from '../callers/quotas.ts'
import type { Replies, ServiceEnv } from '../reply.ts'
import { createFaultDraws } from './draw-faults.ts'
import type { SpoilContext, Spoilt } from './fault-kind.ts'
import type { FaultOrder } from './fault-order.ts'
import { sendSpoilt, type GoodAnswer } from './send-spoilt.ts'

export interface InjectOptions {
  orders: readonly FaultOrder[]
  answer: ReturnType<typeof createAnswers>
  quotas: Quotas
  replies: Replies
  profile: Profile
  /** The source's now, epoch ms. */
  nowMs: () => number
}

/**
 * The only place that injects faults. After the checks, so refusals are never spoilt. After the cache, so the cache
 * keeps only good answers. The first fault that fits is applied, with all ambient ones; null = none was applied.
 */
export function createFaultInjector(options: InjectOptions) {
  const drawFaults = createFaultDraws(options.orders)
  return async (
    c: Context<ServiceEnv>,
    { operation, given, good }: { operation: Operation; given: GivenParams; good: GoodAnswer },
  ): Promise<Response | null> => {
    const drawn = drawFaults(operation, plainParams(operation, given))
    if (drawn.length === 0) return null
    const { profile, quotas } = options
    const caller = c.get('caller')
    const nowMs = c.get('atMs') ?? options.nowMs()
    const injected: string[] = []
    let spoilt: Spoilt = {}
    let isTaken = false
    for (const { order, draw, claim } of drawn) {
      if (isTaken && !order.kind.isAmbient) continue
      const context: SpoilContext = {
        operation,
        params: good.params,
        profile,
        bytes: good.bytes,
        draw,
        nowMs,
        quota: quotas.peek(caller),
        again: (changes) => goodBytes(options, operation, given, changes),
      }
      const change = await order.kind.spoil(context, order.options)
      if (change === null || !claim()) continue
      injected.push(order.kind.name)
      isTaken ||= !order.kind.isAmbient
      spoilt = { ...spoilt, ...change }
    }
    if (injected.length === 0) return null
    c.set('injected', injected)
    if (spoilt.isFree === true) {
      quotas.giveBack(caller)
      const { quota: state = quotas.peek(caller) } = spoilt
      c.set('quota', state === null ? undefined : { state, nowMs: options.nowMs() })
    }
    if (spoilt.limit !== undefined) quotas.limitTo(spoilt.limit)
    return sendSpoilt(c, options.replies, good, spoilt)
  }
}

/** The parameters as sent, of repeated ones the last. Without the key, so that all keys meet the same faults. */
function plainParams(operation: Operation, { path, query }: GivenParams): ParamValues {
  const pairs = operation.params.flatMap(({ name }) => {
    const value = path[name] ?? query.get(name)?.at(-1)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(pairs)
}

async function goodBytes(
  { answer }: InjectOptions,
  operation: Operation,
  given: GivenParams,
  changes: ParamValues,
): Promise<Uint8Array | null> {
  const changed = Object.entries(changes).map(([name, value]) => [name, [value]] as const)
  const query = new Map([...given.query, ...changed])
  const result = await answer(operation, { path: given.path, query })
  return result.kind === 'answered' ? result.bytes : null
}
