/** Granularities as they are stored; the config also says `hourly` and `daily`. */
export const CONFIG_GRANULARITIES = ['5m', '10m', '30m', '1h', '4h', '1d', '4d'] as const

export type ConfigGranularity = (typeof CONFIG_GRANULARITIES)[number]

export const GRANULARITY_ALIASES: Readonly<Record<string, ConfigGranularity>> = {
  hourly: '1h',
  daily: '1d',
}

/**
 * What the config has to know of a dataset to say which keys it takes. Handed in from outside,
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

/** The keys a dataset's section of the file may have. */
export const DATASET_KEYS = [
  'coins',
  'exchanges',
  'tokens',
  'queries',
  'vs_currencies',
  'granularity',
  'from',
  'to',
  'every',
  'ignore',
] as const

export type DatasetKey = (typeof DATASET_KEYS)[number]

/** `required`: by the time something is fetched it has to be said, in the file or by a flag. */
export type KeyUse = 'required' | 'optional' | 'refused'

/**
 * Which keys a dataset takes. A snapshot with one price per currency (coin_markets) lists the whole
 * market unless coins are chosen; a history has no end of coins, so they must be chosen. The start
 * of a history has no default on purpose: it decides how many calls a backfill costs.
 */
export function keyUses(shape: DatasetShape): Readonly<Record<DatasetKey, KeyUse>> {
  const { entity, perCurrency, kind } = shape
  const isHistory = kind === 'range' || kind === 'trailing' || kind === 'dated'
  const isMarketListing = kind === 'snapshot' && entity === null && perCurrency
  const hasExchanges = entity === 'exchange' || entity === 'derivative_exchange'
  const hasCoins = entity === 'coin' || (entity === null && perCurrency)
  return {
    coins: hasCoins ? (isMarketListing ? 'optional' : 'required') : 'refused',
    exchanges: hasExchanges ? 'required' : 'refused',
    tokens: entity === 'token' ? 'required' : 'refused',
    queries: entity === 'query' ? 'required' : 'refused',
    vs_currencies: perCurrency ? 'optional' : 'refused',
    granularity: shape.granularities.length > 0 ? 'optional' : 'refused',
    from: isHistory ? 'required' : 'refused',
    to: isHistory ? 'optional' : 'refused',
    every: isHistory ? 'refused' : 'optional',
    ignore: hasCoins || entity !== null ? 'optional' : 'refused',
  }
}

/** Whether a dataset takes one key. */
export function keyUse(shape: DatasetShape, key: DatasetKey): KeyUse {
  return keyUses(shape)[key]
}

/** The keys a dataset takes, in the order the documentation shows them. */
export function keysOf(shape: DatasetShape): DatasetKey[] {
  return DATASET_KEYS.filter((key) => keyUse(shape, key) !== 'refused')
}
