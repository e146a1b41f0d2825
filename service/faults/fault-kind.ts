import { z } from 'zod'
import type { Operation } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Profile } from '../../config/profiles.ts'
import type { QuotaOptions, QuotaState } from '../callers/quotas.ts'

/** The place that a fault spoils: the sending, the body, or the state of the service. */
export type FaultPlace = 'transport' | 'body' | 'state'

/**
 * The requests that `times` and `after` of a fault count together: one request with its repetitions, those for an id,
 * or all. A fault by id is drawn once for each id, a permanent one once for each
 * request, any other at each repetition.
 */
export type FaultScope = 'request' | 'entity' | 'service'

/** A good answer and its request, for a fault to spoil. */
export interface SpoilContext {
  operation: Operation
  /** Checked, with defaults and those of the path. */
  params: ParamValues
  profile: Profile
  /** The source's now, epoch ms. */
  nowMs: number
  /** The state of the caller's quota. */
  quota: QuotaState
  /** The whole good body, not compressed. */
  bytes: Uint8Array
  /** Uniform in [0, 1), from the seed, the request and its repetition. */
  draw: (purpose: string, index?: number) => number
  /** The good body of the same request with other parameters; null = refused. */
  again: (changes: ParamValues) => Promise<Uint8Array | null>
}

/** The changes to a good answer. */
export interface Spoilt {
  status?: number
  bytes?: Uint8Array
  headers?: Readonly<Record<string, string>>
  /** Whether the answer counts as no call. */
  isFree?: true
  /** The quota that X-RateLimit-* of a free answer tell, null = none; absent = the caller's own. */
  quota?: QuotaState | null
  /** Delay before the first byte. */
  waitMs?: number
  /** The connection is reset before the first byte, or after half of the body. */
  reset?: 'before' | 'in_body'
  /** Delay after half of the body. */
  stallMs?: number
  /** The Date header and the time in X-RateLimit-Reset are wrong by this much. */
  skewMs?: number
  /** The limit of the service from the next call on. */
  limit?: QuotaOptions
}

export interface FaultKind {
  name: string
  place: FaultPlace
  scope: FaultScope
  /** The effect for the caller, for docs/faults.md. */
  about: string
  /** Whether the fault is applied together with another one. */
  isAmbient: boolean
  /** How often the fault is applied at most in its scope, if its order does not say. */
  defaultTimes: number
  /** The options of this kind only. */
  shape: z.ZodRawShape
  /** The spoilt answer; null = the fault does not apply to this answer. */
  spoil(context: SpoilContext, options: unknown): Promise<Spoilt | null>
}

interface DescribedKind<S extends z.ZodRawShape> {
  scope?: FaultScope
  about: string
  isAmbient?: boolean
  defaultTimes?: number
  shape?: S
  spoil(
    context: SpoilContext,
    options: z.infer<z.ZodObject<S>>,
  ): Spoilt | null | Promise<Spoilt | null>
}

/** Describes a kind of fault. Its `spoil` gets checked options with defaults. */
export function faultKind<S extends z.ZodRawShape>(
  kind: DescribedKind<S>,
): Omit<FaultKind, 'name' | 'place'> {
  return {
    scope: 'request',
    isAmbient: false,
    defaultTimes: Infinity,
    shape: {},
    ...kind,
    spoil: async (context, options) => kind.spoil(context, options as z.infer<z.ZodObject<S>>),
  }
}

/** The kinds of one place. Their keys are their names. */
export function faultsOf<N extends string>(
  place: FaultPlace,
  kinds: Readonly<Record<N, Omit<FaultKind, 'name' | 'place'>>>,
): Readonly<Record<N, FaultKind>> {
  const named = Object.entries<Omit<FaultKind, 'name' | 'place'>>(kinds)
  const placed = named.map(([name, kind]) => [name, { ...kind, name, place }])
  return Object.fromEntries(placed) as Record<N, FaultKind>
}
