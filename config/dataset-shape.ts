/** Granularities as they are stored. The config also accepts `hourly` and `daily`. */
export const GRANULARITIES = ['5m', '10m', '30m', '1h', '4h', '1d', '4d'] as const

export type Granularity = (typeof GRANULARITIES)[number]

export const GRANULARITY_ALIASES: Readonly<Record<string, Granularity>> = {
  hourly: '1h',
  daily: '1d',
}

/**
 * The facts of a dataset from which its config keys follow. Callers pass them in, because `config/`
 * imports no datasets; the definitions in `datasets/` extend this shape.
 */
export interface DatasetShape {
  name: string
  description: string
  kind: 'range' | 'trailing' | 'dated' | 'snapshot' | 'catalogue'
  /** The kind of ids that the dataset takes. Exchanges of derivatives have other ids, and a flag of their own. */
  entity: 'coin' | 'exchange' | 'derivative_exchange' | 'token' | 'query' | null
  perCurrency: boolean
  /** []: the dataset has none. The first is the default. */
  granularities: readonly Granularity[]
}
