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
  /** Bounds of a number, inclusive. */
  min?: number
  max?: number
  /** Default: any value. */
  allowed?: readonly string[]
  /** Most values of a `csv`. Default MAX_ITEMS. */
  maxItems?: number
  /** Whether the values are currency codes (lower case, from `simple/supported_vs_currencies`). */
  isCurrency?: boolean
  /** A value that every service knows, for documents and tests. */
  example?: string
}

/** Most characters of one value. The longest known id has 70; contract addresses reach 130. */
export const MAX_VALUE_CHARS = 256
/** Most values of a list without its own limit. More values hardly fit into a URL. */
export const MAX_ITEMS = 500

/** One GET operation of the `/v2` interface, described once for the client and the service. */
export interface DescribedOperation<Id extends string = string> {
  /** Path below `/v2/`, and the name of the operation: `coins/{id}/market_chart/range`. */
  id: Id
  summary: string
  /** The word for what a 404 did not find: `coin`; absent: the operation looks nothing up. */
  subject?: string
  params: readonly Param[]
  /** Filters of some providers. The service refuses them by name, because an answer without the filter differs. */
  unsupported?: readonly string[]
  /** The envelope of a good answer. The datasets check its rows one by one. */
  response: z.ZodType
  /** The sizes of `per_page`. Absent: one answer has all. */
  paging?: { defaultPerPage: number; maxPerPage: number }
  /** The rules from a window to the step of its series; absent: no series. */
  steps?: readonly StepRule[]
  cacheAgeS: number
}

/** Keeps the type of the id. */
export function operation<const Id extends string>(
  facts: DescribedOperation<Id>,
): DescribedOperation<Id> {
  return facts
}

/** Values of all parameters by name, not yet encoded for the URL. */
export type ParamValues = Readonly<Record<string, string>>
