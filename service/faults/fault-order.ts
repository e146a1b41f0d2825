import { z } from 'zod'
import { type OperationId, operations } from '../../api/operations.ts'
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

const OPERATION_IDS = Object.keys(operations) as OperationId[]

/** The keys that orders of every kind have. */
export const ORDER_SHAPE = {
  rate: z.number().min(0).max(1).optional().describe('probability per request, 0 to 1; default 1'),
  seed: z
    .int()
    .min(0)
    .max(MAX_SEED)
    .optional()
    .describe('seed of the draws; default `--fault-seed`'),
  operations: z
    .array(z.enum(OPERATION_IDS))
    .min(1)
    .optional()
    .describe('only these operations, such as `coins/{id}/ohlc`'),
  entities: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('only requests with one of these ids, in the path or in a list of ids'),
  times: z.int().min(1).optional().describe('the most times for each request; default: no limit'),
  after: z
    .int()
    .min(0)
    .optional()
    .describe('first repetitions of each request without the fault; default 0'),
  permanent: z
    .boolean()
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
    operations: written.operations ?? null,
    entities: written.entities ?? null,
    times: written.times ?? kind.defaultTimes,
    after: written.after ?? 0,
    permanent: written.permanent ?? false,
  }
}
