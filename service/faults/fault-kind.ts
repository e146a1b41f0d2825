import { z } from 'zod'
import type { Operation, ParamValues } from '../../api/operation.ts'
import type { Profile } from '../../config/profiles.ts'
import type { QuotaOptions, QuotaState } from '../callers/quota.ts'
import type { ResetUnit } from '../callers/quota-headers.ts'

/** `transport`: how an answer comes; `body`: what it says; `state`: what the service has become. */
export type FaultPlace = 'transport' | 'body' | 'state'

/**
 * The identity that a fault is drawn for and that `after` and `times` count: each repetition of one request, one id
 * for ever, or every request of the service.
 */
export type FaultScope = 'request' | 'entity' | 'service'

/** A good answer that is about to leave, as a fault meets it. */
export interface Meeting {
  operation: Operation
  /** As they came, path parameters included; the last of repeated ones. */
  params: ParamValues
  profile: Profile
  resetUnit: ResetUnit
  /** The source's now, epoch ms. */
  nowMs: number
  /** The rest of the caller's quota. */
  quota: QuotaState
  /** The whole good body, not compressed. */
  bytes: Uint8Array
  /** Uniform in [0, 1): the same for the same seed, request and number of its asking. */
  draw: (purpose: string, index?: number) => number
  /** The good body of the same request with other parameters; null where it is refused. */
  again: (changes: ParamValues) => Promise<Uint8Array | null>
}

/** The spoilt answer; absent fields stay as they were. */
export interface Spoilt {
  status?: number
  bytes?: Uint8Array
  headers?: Readonly<Record<string, string>>
  /** Takes X-RateLimit-* away. */
  hidesQuota?: true
  /** The answer is a refusal that costs the caller no call. */
  isFree?: true
  /** Wait before the first byte. */
  waitMs?: number
  /** The connection is reset before the first byte, or after half of the body. */
  reset?: 'before' | 'in_body'
  /** Wait after half of the body. */
  stallMs?: number
  /** Date and the reset come from a clock that is off by this much. */
  skewMs?: number
  /** From the next call on this is the limit of the service. */
  limit?: QuotaOptions
}

/** One kind of fault, described in the file of its place. */
export interface FaultKind {
  name: string
  place: FaultPlace
  scope: FaultScope
  /** For docs/faults.md: what the caller sees. */
  about: string
  /** Comes beside another fault of the same answer instead of in its place. */
  isAmbient: boolean
  /** How often it strikes at most within its scope, where an order does not say it. */
  defaultTimes: number
  /** Its options beside those that every fault has. */
  shape: z.ZodRawShape
  /** The spoilt answer; null = the fault does not apply to this answer. */
  spoil(meeting: Meeting, options: unknown): Promise<Spoilt | null>
}

interface DescribedKind<S extends z.ZodRawShape> {
  scope?: FaultScope
  about: string
  isAmbient?: boolean
  defaultTimes?: number
  shape?: S
  spoil(meeting: Meeting, options: z.infer<z.ZodObject<S>>): Spoilt | null | Promise<Spoilt | null>
}

/** Describes one; the options reach `spoil` checked and with their defaults. */
export function faultKind<S extends z.ZodRawShape>(
  kind: DescribedKind<S>,
): Omit<FaultKind, 'name' | 'place'> {
  const { about, scope = 'request', isAmbient = false } = kind
  return {
    scope,
    about,
    isAmbient,
    defaultTimes: kind.defaultTimes ?? Infinity,
    shape: kind.shape ?? {},
    spoil: async (meeting, options) => kind.spoil(meeting, options as z.infer<z.ZodObject<S>>),
  }
}

/** The kinds of one place, each with its key as its name. */
export function faultsOf<N extends string>(
  place: FaultPlace,
  kinds: Readonly<Record<N, Omit<FaultKind, 'name' | 'place'>>>,
): Readonly<Record<N, FaultKind>> {
  const named = Object.entries<Omit<FaultKind, 'name' | 'place'>>(kinds)
  const placed = named.map(([name, kind]) => [name, { ...kind, name, place }])
  return Object.fromEntries(placed) as Record<N, FaultKind>
}
