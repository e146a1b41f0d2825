import { z } from 'zod'
import { type OperationId, operations } from '../../api/operations.ts'
import { didYouMean } from '../../config/values/did-you-mean.ts'
import type { FaultKind } from './fault-kind.ts'

/** An ordered fault: its kind, rate and targets. */
export interface FaultOrder {
  kind: FaultKind
  /** Checked by the `shape` of the kind. */
  options: unknown
  /** Probability per request, 0 to 1. */
  rate: number
  seed: number
  /** null = all operations. */
  operations: readonly OperationId[] | null
  /** Ids in the path or in a list of ids; null = any request. */
  entities: readonly string[] | null
  /** How often the fault is applied at most, in the scope of its kind. */
  times: number
  /** So many first requests in that scope have no fault. */
  after: number
  /** Whether the draw counts for a request and all its repetitions. */
  permanent: boolean
}

const MAX_SEED = 4_294_967_295
const MAX_COUNT = 1_000_000_000

const count = (description: string, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error }).optional().describe(description)
}

const list = (description: string, what: string) =>
  z
    .array(z.string({ error: `must be the text of ${what}` }), {
      error: `must be a list of ${what}s`,
    })
    .min(1, { error: `must name at least one ${what}` })
    .optional()
    .describe(description)

const rateError = 'must be a number from 0 to 1'
const operationNames = new Set<string>(Object.keys(operations))

/** The keys that orders of every kind have. */
export const ORDER_SHAPE = {
  rate: z
    .number({ error: rateError })
    .min(0, { error: rateError })
    .max(1, { error: rateError })
    .optional()
    .describe('probability per request, 0 to 1; default 1'),
  seed: count('seed of the draws; default `--fault-seed`', 0, MAX_SEED),
  operations: list('only these operations, such as `coins/{id}/ohlc`', 'operation').refine(
    (names) => (names ?? []).every((name) => operationNames.has(name)),
    {
      error: ({ input }) => unknownOperation(input),
    },
  ),
  entities: list('only requests with one of these ids, in the path or in a list of ids', 'id'),
  times: count('the most times for each request; default: no limit', 1, MAX_COUNT),
  after: count('first repetitions of each request without the fault; default 0', 0, MAX_COUNT),
  permanent: z
    .boolean({ error: 'must be true or false' })
    .optional()
    .describe('drawn once for a request, which then always or never has the fault'),
} as const

/** The keys of an order of this kind. Unknown keys are refused. */
export function orderSchema(kind: FaultKind) {
  return z.strictObject({ fault: z.literal(kind.name), ...ORDER_SHAPE, ...kind.shape })
}

/** The order of a fault that `orderSchema` has checked. */
export function orderOf(
  kind: FaultKind,
  written: z.infer<z.ZodObject<typeof ORDER_SHAPE>>,
  defaultSeed: number,
): FaultOrder {
  return {
    kind,
    options: written,
    rate: written.rate ?? 1,
    seed: written.seed ?? defaultSeed,
    operations: (written.operations as OperationId[] | undefined) ?? null,
    entities: written.entities ?? null,
    times: written.times ?? kind.defaultTimes,
    after: written.after ?? 0,
    permanent: written.permanent ?? false,
  }
}

function unknownOperation(names: unknown): string {
  const strange = (names as string[]).find((name) => !operationNames.has(name)) ?? ''
  const meant = didYouMean(strange, operationNames)
  const hint = meant === null ? 'see docs/interface.md' : `did you mean ${meant}?`
  return `must name operations, and ${JSON.stringify(strange)} is none (${hint})`
}
