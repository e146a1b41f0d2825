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

/** `required`: the file or a flag must have the key when something is fetched. */
export type KeyUse = 'required' | 'optional' | 'refused'

/** A key of an order, which only some datasets take. */
export interface OrderSetting<K extends string, T> extends Setting<T> {
  key: K
  use: (shape: DatasetShape) => KeyUse
  unused: T
}

/** Makes a key that only some datasets take. An order without it has its default; without one, or where refused, `unused`. */
function orderSetting<K extends string, T, const U = null>(
  key: K,
  kind: Kind<T>,
  facts: Facts & { use: (shape: DatasetShape) => KeyUse; unused?: U },
): OrderSetting<K, T | U> {
  const row = setting(key, kind, { none: 'not set', ...facts }) as Setting<T | U>
  const { use, unused = null as U } = facts
  return { ...row, key, use, unused }
}

function requiredFor(...entities: DatasetShape['entity'][]) {
  return ({ entity }: DatasetShape) => (entities.includes(entity) ? 'required' : 'refused')
}

const NO_IDS: readonly string[] = []

const isHistory = ({ kind }: DatasetShape): boolean =>
  kind === 'range' || kind === 'trailing' || kind === 'dated'

const hasCoins = ({ entity, perCurrency }: DatasetShape): boolean =>
  entity === 'coin' || (entity === null && perCurrency)

/** The use of `coins`: optional for a listing of the whole market, required for other datasets of coins. */
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
      'Coin ids, or one of: top:N for the N largest by market cap, category:ID for all of a category, all for every coin, inactive for delisted coins (profile coingecko-pro). The chosen coins are kept from the first use on.',
    examples: [['bitcoin', 'ethereum'], 'top:100', 'category:layer-1', 'all', 'inactive'],
  }),
  exchanges: orderSetting('exchanges', ids, {
    use: requiredFor('exchange', 'derivative_exchange'),
    flag: 'exchanges',
    about: 'Exchange ids. Exchanges of derivatives have ids of their own.',
    examples: [['binance', 'kraken']],
  }),
  tokens: orderSetting('tokens', tokens, {
    use: requiredFor('token'),
    flag: 'tokens',
    about:
      'Tokens by contract: platform_id/contract_address, with the platform as asset_platforms lists it.',
    examples: [['ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7']],
  }),
  queries: orderSetting('queries', queries, {
    use: requiredFor('query'),
    flag: 'queries',
    about: 'Texts to search for.',
    examples: [['bitcoin', 'wrapped ether']],
  }),
  vsCurrencies: orderSetting('vs_currencies', currencies, {
    use: ({ perCurrency }) => (perCurrency ? 'optional' : 'refused'),
    unused: NO_IDS,
    flag: 'vs',
    default: ['usd'],
    about: 'The currencies of prices.',
    examples: [['usd', 'eur']],
  }),
  granularity: orderSetting('granularity', granularity, {
    use: ({ granularities }) => (granularities.length > 0 ? 'optional' : 'refused'),
    unused: '',
    flag: 'granularity',
    otherwise: 'the first that the dataset offers',
    about: 'The time between two points. A list asks for each of its granularities.',
    examples: ['hourly', ['hourly', 'daily']],
  }),
  fromMs: orderSetting('from', date, {
    // No default, because the start decides how many calls a backfill costs.
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
    about: 'End of the history, UTC, not included.',
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
    about: 'Ids to skip, also when a selector chooses them. coinlake does not report them either.',
    examples: [['bitconnect']],
  }),
}

export type OrderValues = Values<typeof orderRows>
export type OrderRow = (typeof orderRows)[keyof OrderValues]
export type OrderKey = OrderRow['key']

export const orderNameRow = setting('name', orderName, {
  about:
    'Name of this order, when the dataset has several. Schedules and --dataset take DATASET/NAME.',
  otherwise: 'its granularity, or its `every`',
  examples: ['hourly'],
})

export const orderSection = section(
  'datasets',
  'An order of the dataset.',
  { name: orderNameRow, ...orderRows },
  'must be a map of keys and values, or a list of them',
)

export function keyUse(shape: DatasetShape, key: OrderKey): KeyUse {
  return keyUses(shape)[key]
}

export function keyUses(shape: DatasetShape): Readonly<Record<OrderKey, KeyUse>> {
  const uses = Object.values(orderRows).map((row) => [row.key, row.use(shape)] as const)
  return Object.fromEntries(uses) as Record<OrderKey, KeyUse>
}

export function keysOf(shape: DatasetShape): OrderKey[] {
  return Object.values(orderRows)
    .filter((row) => row.use(shape) !== 'refused')
    .map((row) => row.key)
}
