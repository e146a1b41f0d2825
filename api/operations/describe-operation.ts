import type { z } from 'zod'
import type { StepRule } from '../step-rules.ts'

/**
 * The form of a value. `csv`: values joined by commas. `epoch_s`: whole seconds since 1970, UTC.
 * `days`: a number of days, or `max`. `date`: a calendar day, YYYY-MM-DD.
 */
export type ParamType = 'string' | 'integer' | 'csv' | 'boolean' | 'epoch_s' | 'days' | 'date'

export interface Param {
  name: string
  in: 'path' | 'query'
  type: ParamType
  required: boolean
  description: string
  default?: string
  /** Bounds of a number, both inclusive. */
  min?: number
  max?: number
  /** Default: any value. */
  allowed?: readonly string[]
  /** Most values of a `csv`. Default MAX_ITEMS. */
  maxItems?: number
  /** Whether the values are currency codes (lower case, from `simple/supported_vs_currencies`). */
  isCurrency?: boolean
  /** A value that every such service knows, for documents and tests. */
  example?: string
}

/** Most characters of one value; the longest known id has 70, contract addresses reach 130. */
export const MAX_VALUE_CHARS = 256
/** Most values of a list without a limit of its own; more would not fit into a URL anyway. */
export const MAX_ITEMS = 500

/** How an operation returns a long list: whole, or page by page. */
export type Paging =
  | { kind: 'none' }
  | { kind: 'pages'; perPageParam: string | null; defaultPerPage: number; maxPerPage: number }

/** One GET operation of the `/v2` interface, described once for the client and the service. */
export interface DescribedOperation<Id extends string = string> {
  /** Path below `/v2/`, which is also its name: `coins/{id}/market_chart/range`. */
  id: Id
  summary: string
  /** The subject that a 404 did not find: `coin`; null = the operation looks nothing up. */
  subject: string | null
  params: readonly Param[]
  /**
   * Filters that some providers have and the interface does not. The service refuses them by name, even where it
   * ignores unknown parameters, because an answer without the filter would silently differ.
   */
  unsupported?: readonly string[]
  /** The envelope of a good answer. Rows are checked one by one in `datasets/`, so that one bad row costs one row. */
  response: z.ZodType
  paging: Paging
  /** The rules by which the step of a series follows from its window; absent = no series. */
  steps?: readonly StepRule[]
  /** The service may serve the same answer this long. */
  cacheAgeS: number
}

type Usual = 'subject' | 'paging'

/** An operation: one answer that looks nothing up, where nothing else is said. */
export function operation<const Id extends string>(
  facts: Omit<DescribedOperation<Id>, Usual> & Partial<Pick<DescribedOperation, Usual>>,
): DescribedOperation<Id> {
  return { subject: null, paging: { kind: 'none' }, ...facts }
}

/** Values of an operation's parameters by name, path parameters included, as written in the URL before encoding. */
export type ParamValues = Readonly<Record<string, string>>
