import { z } from 'zod'
import { type OperationId, operations } from '../../api/operations.ts'
import type { FaultKind } from './fault-kind.ts'

const MAX_SEED = 4_294_967_295

const OPERATION_IDS = Object.keys(operations) as OperationId[]

/** The keys that orders of every kind have. */
export const ORDER_SHAPE = {
  rate: z.number().min(0).max(1).default(1).describe('probability per request, 0 to 1; default 1'),
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
    .default(0)
    .describe('first repetitions of each request without the fault; default 0'),
  permanent: z
    .boolean()
    .default(false)
    .describe('drawn once for a request, which then always or never has the fault'),
} as const

/** The keys of an order of this kind. Unknown keys are refused. */
export function orderSchema(kind: FaultKind) {
  return z.strictObject({ fault: z.literal(kind.name), ...ORDER_SHAPE, ...kind.shape })
}

type Written = z.infer<z.ZodObject<typeof ORDER_SHAPE>>

/** An ordered fault: its kind and its keys, complete. */
export interface FaultOrder extends Written {
  kind: FaultKind
  /** Checked by the `shape` of the kind. */
  options: unknown
  seed: number
  times: number
}

/** The order of a fault that `orderSchema` has checked. */
export function orderOf(kind: FaultKind, written: Written, defaultSeed: number): FaultOrder {
  const { seed = defaultSeed, times = kind.defaultTimes } = written
  return { ...written, kind, options: written, seed, times }
}
