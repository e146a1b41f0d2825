/** Granularities as they are stored; the config also says `hourly` and `daily`. */
export const CONFIG_GRANULARITIES = ['5m', '10m', '30m', '1h', '4h', '1d', '4d'] as const

export type ConfigGranularity = (typeof CONFIG_GRANULARITIES)[number]

export const GRANULARITY_ALIASES: Readonly<Record<string, ConfigGranularity>> = {
  hourly: '1h',
  daily: '1d',
}

/**
 * The facts of a dataset from which the config knows the keys it takes. Handed in from outside,
 * because `config/` knows no dataset; the definitions in `datasets/` have this shape as they are.
 */
export interface DatasetShape {
  name: string
  description?: string
  kind: 'range' | 'trailing' | 'dated' | 'snapshot' | 'catalogue'
  /** The kind of ids it is asked for. Exchanges of derivatives have ids of their own: a flag never means both. */
  entity: 'coin' | 'exchange' | 'derivative_exchange' | 'token' | 'query' | null
  perCurrency: boolean
  /** The first is the default. */
  granularities: readonly ConfigGranularity[]
}
