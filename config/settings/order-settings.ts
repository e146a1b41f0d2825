import type { DatasetShape } from '../dataset-shape.ts'
import type { Kind } from './kind.ts'
import { date, ids } from './kinds.ts'
import {
  coins,
  currencies,
  granularity,
  orderName,
  period,
  queries,
  tokens,
} from './order-kinds.ts'
import { section, setting, type Facts, type Setting, type Values } from './setting.ts'

/** `required`: by the time something is fetched it has to be said, in the file or by a flag. */
export type KeyUse = 'required' | 'optional' | 'refused'

/** A key of an order, which only some datasets take. */
export interface OrderSetting<K extends string, T> extends Setting<T> {
  key: K
  use: (shape: DatasetShape) => KeyUse
  /** The value for a dataset that does not take the key. */
  unused: T
}

/** A key that only some datasets take. Where an order does not have it, its default holds, else `unused`. */
function orderSetting<K extends string, T, const U = null>(
  key: K,
  kind: Kind<T>,
  facts: Facts & { use: (shape: DatasetShape) => KeyUse; unused?: U },
): OrderSetting<K, T | U> {
  const row = setting(key, kind, { none: 'not said', ...facts }) as Setting<T | U>
  const { use, unused = null as U } = facts
  return { ...row, key, use, unused }
}

function of(...entities: DatasetShape['entity'][]) {
  return ({ entity }: DatasetShape) => (entities.includes(entity) ? 'required' : 'refused')
}

const NO_IDS: readonly string[] = []

const isHistory = ({ kind }: DatasetShape): boolean =>
  kind === 'range' || kind === 'trailing' || kind === 'dated'

const hasCoins = ({ entity, perCurrency }: DatasetShape): boolean =>
  entity === 'coin' || (entity === null && perCurrency)

/** A snapshot with one price per currency lists the whole market; a history has no end of coins. */
function coinsUse(shape: DatasetShape): KeyUse {
  if (!hasCoins(shape)) return 'refused'
  return shape.kind === 'snapshot' && shape.entity === null ? 'optional' : 'required'
}

/** The keys of an order, in the order in which the documentation shows them. */
export const orderRows = {
  coins: orderSetting('coins', coins, {
    use: coinsUse,
    flag: 'coins',
    about:
      'Coin ids, or one of: top:N for the N largest by market cap, category:ID for all of a category, all for every coin, inactive for those that were delisted (profile coingecko-pro). The choice is frozen when it is first used.',
    examples: [['bitcoin', 'ethereum'], 'top:100', 'category:layer-1', 'all', 'inactive'],
  }),
  exchanges: orderSetting('exchanges', ids, {
    use: of('exchange', 'derivative_exchange'),
    flag: 'exchanges',
    about: 'Exchange ids. Exchanges of derivatives have ids of their own.',
    examples: [['binance', 'kraken']],
  }),
  tokens: orderSetting('tokens', tokens, {
    use: of('token'),
    flag: 'tokens',
    about:
      'Tokens by contract: platform_id/contract_address, with the platform as asset_platforms lists it.',
    examples: [['ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7']],
  }),
  queries: orderSetting('queries', queries, {
    use: of('query'),
    flag: 'queries',
    about: 'Texts to search for.',
    examples: [['bitcoin', 'wrapped ether']],
  }),
  vsCurrencies: orderSetting('vs_currencies', currencies, {
    use: ({ perCurrency }) => (perCurrency ? 'optional' : 'refused'),
    unused: NO_IDS,
    flag: 'vs',
    default: ['usd'],
    about: 'The currencies prices are asked in.',
    examples: [['usd', 'eur']],
  }),
  granularity: orderSetting('granularity', granularity, {
    use: ({ granularities }) => (granularities.length > 0 ? 'optional' : 'refused'),
    unused: '',
    flag: 'granularity',
    otherwise: 'the first that the dataset offers',
    about: 'The distance between two points. A list asks for each of them.',
    examples: ['hourly', ['hourly', 'daily']],
  }),
  fromMs: orderSetting('from', date, {
    // No default on purpose: the start decides how many calls a backfill costs.
    use: (shape) => (isHistory(shape) ? 'required' : 'refused'),
    flag: 'from',
    about: 'First moment of the history, UTC.',
    examples: ['2024-01-01', '2024-01-01T12:00:00Z'],
  }),
  toMs: orderSetting('to', date, {
    use: (shape) => (isHistory(shape) ? 'optional' : 'refused'),
    flag: 'to',
    otherwise: 'now',
    none: 'now',
    about: 'End of the history, UTC, itself not included.',
    examples: ['2024-01-01', '2024-01-01T12:00:00Z'],
  }),
  everyMs: orderSetting('every', period, {
    use: (shape) => (isHistory(shape) ? 'refused' : 'optional'),
    unused: 0,
    flag: 'every',
    default: '1d',
    about: 'Time between snapshots.',
  }),
  ignore: orderSetting('ignore', ids, {
    use: (shape) => (hasCoins(shape) || shape.entity !== null ? 'optional' : 'refused'),
    unused: NO_IDS,
    about: 'Ids to skip, also among those that a selector chose. coinlake stops reporting them.',
    examples: [['bitconnect']],
  }),
}

export type OrderValues = Values<typeof orderRows>
export type OrderRow = (typeof orderRows)[keyof OrderValues]
export type DatasetKey = OrderRow['key']

export const orderNameRow = setting('name', orderName, {
  about:
    'Name of this order where the dataset has several: schedules and --dataset take DATASET/NAME.',
  otherwise: 'its granularity, or how often it is taken',
  examples: ['hourly'],
})

export const orderSection = section(
  'datasets',
  'An order of the dataset.',
  { name: orderNameRow, ...orderRows },
  'must be a map of keys and values, or a list of them',
)

/** Whether a dataset takes one key. */
export function keyUse(shape: DatasetShape, key: DatasetKey): KeyUse {
  return keyUses(shape)[key]
}

/** Which keys a dataset takes. */
export function keyUses(shape: DatasetShape): Readonly<Record<DatasetKey, KeyUse>> {
  const uses = Object.values(orderRows).map((row) => [row.key, row.use(shape)] as const)
  return Object.fromEntries(uses) as Record<DatasetKey, KeyUse>
}

/** The keys a dataset takes. */
export function keysOf(shape: DatasetShape): DatasetKey[] {
  return Object.values(orderRows)
    .filter((row) => row.use(shape) !== 'refused')
    .map((row) => row.key)
}
