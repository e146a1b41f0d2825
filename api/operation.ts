import type { z } from 'zod'

/** Path of an operation below `/v2/`, which is also its name: `coins/{id}/market_chart/range`. */
export type OperationId =
  | 'ping'
  | 'coins/list'
  | 'coins/markets'
  | 'coins/{id}/market_chart'
  | 'coins/{id}/market_chart/range'
  | 'coins/{id}/ohlc'
  | 'exchanges'
  | 'exchanges/list'
  | 'exchanges/{id}/tickers'
  | 'exchange_rates'

export type ParamType = 'string' | 'integer' | 'csv' | 'boolean' | 'epoch_s' | 'days'

export interface Param {
  name: string
  in: 'path' | 'query'
  type: ParamType
  required: boolean
  description: string
  default?: string
  min?: number
  max?: number
  allowed?: readonly string[]
}

/** How an operation hands out a long list. `short_page`: a page with fewer items than asked is the last. */
export type Paging =
  | { kind: 'none' }
  | { kind: 'pages'; perPageParam: string | null; defaultPerPage: number; maxPerPage: number }

/** One GET operation of the `/v2` interface, described once for the client and the service. */
export interface Operation {
  id: OperationId
  summary: string
  params: readonly Param[]
  /** The envelope of a good answer. Rows are checked one by one in `datasets/`, so that one bad row costs one row. */
  response: z.ZodType
  paging: Paging
  /** How long the service may serve the same answer (facts: market-api 0.8). */
  cacheAgeS: number
}

/** Values of an operation's parameters by name, path parameters included, as written in the URL before encoding. */
export type ParamValues = Readonly<Record<string, string>>
