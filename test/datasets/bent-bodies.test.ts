import { anything, assert, constantFrom, jsonValue, nat, oneof, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OperationId, ParamValues } from '../../api/operation.ts'
import { datasetByName } from '../../datasets/index.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const ID = 'x y'

interface Bendable {
  operation: OperationId
  dataset: string
  stepIndex?: number
  entity?: string
  params: ParamValues
  body: object
}

const TICKER = {
  symbol: 'BTCUSDT',
  base: 'BTC',
  coin_id: 'bitcoin',
  last: 0.473,
  converted_volume: { btc: '42.07', eth: '1536.67', usd: '3222911.49' },
  last_traded: 1_779_809_107,
  expired_at: null,
}
const STATS = {
  name: 'Binance',
  open_interest_btc: 332_790.5,
  trade_volume_24h_btc: '588597.24',
  year_established: 2019,
}

const BODIES: Bendable[] = [
  {
    operation: 'exchanges/{id}',
    dataset: 'exchange_details',
    entity: ID,
    params: { id: ID },
    body: {
      name: 'Binance',
      year_established: 2017,
      centralized: true,
      trade_volume_24h_btc: 95_073.68489926813,
      tickers: [],
      status_updates: [{ user: 'x' }],
    },
  },
  {
    operation: 'derivatives',
    dataset: 'derivative_tickers',
    params: {},
    body: [
      { market: 'a', symbol: 's', price: '77034.8', index: null, last_traded_at: 1_779_807_819 },
      { market: 'b', symbol: '', price: '1', funding_rate: 0.1, expired_at: 1 },
    ],
  },
  {
    operation: 'derivatives/exchanges',
    dataset: 'derivative_exchanges',
    stepIndex: 1,
    params: { order: 'name_asc' },
    body: [{ id: 'a', ...STATS }],
  },
  {
    operation: 'derivatives/exchanges/list',
    dataset: 'derivative_exchanges',
    params: {},
    body: [
      { id: 'a', name: 'A' },
      { id: 'b', name: null },
    ],
  },
  {
    operation: 'derivatives/exchanges/{id}',
    dataset: 'derivative_exchange_tickers',
    entity: ID,
    params: { id: ID, include_tickers: 'all' },
    body: { ...STATS, tickers: [TICKER, { ...TICKER, symbol: 'X' }] },
  },
  {
    operation: 'search',
    dataset: 'search_results',
    entity: ID,
    params: { query: ID },
    body: {
      coins: [{ id: 'bitcoin', symbol: 'BTC', market_cap_rank: 1, thumb: 't' }],
      exchanges: [{ id: 'binance', market_type: 'spot' }],
      icos: [],
      categories: [{ id: 8, name: 'Infrastructure' }],
      nfts: [{ id: 'ens', name: 'ENS' }],
    },
  },
  {
    operation: 'search/trending',
    dataset: 'trending_coins',
    params: {},
    body: {
      coins: [
        {
          item: {
            id: 'qubic',
            score: 0,
            data: {
              price: 9e-7,
              price_btc: '0.00000000001179202078295037',
              market_cap: '$104,127,324',
              price_change_percentage_24h: { usd: -3.2, btc: null },
              content: { title: 'x' },
            },
          },
        },
      ],
      nfts: [{ id: 'runestone', data: { floor_price: '0.002 BTC' } }],
      categories: [
        { id: 225, coins_count: '11', data: { market_cap_change_percentage_24h: { usd: 1 } } },
      ],
    },
  },
  {
    operation: 'global',
    dataset: 'global_market',
    params: {},
    body: {
      data: {
        markets: 1476,
        total_market_cap: { btc: 34_570_737.2, vnd: 6.4e16 },
        total_volume: { btc: 1_254_779.1, usd: null },
        market_cap_percentage: { btc: 57.9 },
        updated_at: 1_779_878_351,
      },
    },
  },
  {
    operation: 'global/decentralized_finance_defi',
    dataset: 'global_defi',
    params: {},
    body: { data: { defi_market_cap: '1.5', top_coin_name: 'x', top_coin_defi_dominance: 30.5 } },
  },
]

const keys = constantFrom('usd', 'id', 'name', '0', '', '__proto__', 'constructor', 'a.b', '\u0000')
const values = oneof(
  jsonValue(),
  constantFrom(null, -0, 0, 2 ** 53, 1e21, 1e-11, '\uD800', '1.5', '$1', '', {}, [], [null]),
)

/** A copy of a body with one member set, or left out. */
function bend(body: object, place: number, member: number, key: string, value: unknown): unknown {
  const copy = JSON.parse(jsonText(body)) as object
  const objects = objectsIn(copy)
  const chosen = objects[place % objects.length]!
  const own = Object.keys(chosen)
  const name = member < own.length ? own[member]! : key
  if (value === undefined) Reflect.deleteProperty(chosen, name)
  else Object.defineProperty(chosen, name, { value, enumerable: true, configurable: true })
  return JSON.parse(jsonText(copy))
}

/** Every object in a body that is no list. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [value, ...inside]
}

describe.each(BODIES)(
  '$operation',
  ({ operation, dataset: name, entity, stepIndex, params, body }) => {
    const dataset = datasetByName(name)!
    const context = pageOf(dataset, { entity: entity ?? '' }, { stepIndex: stepIndex ?? 0 })

    test('what is not rejected comes back exactly, wherever the body is bent', () => {
      let kept = 0
      const change = record({
        place: nat(20),
        member: nat(8),
        key: keys,
        value: oneof(values, constantFrom(undefined)),
      })
      assert(
        property(change, ({ place, member, key, value }) => {
          const bent = bend(body, place, member, key, value)
          const warehouse = new Warehouse()
          try {
            const page = warehouse.load(dataset, bent, context)
            if (page.rejected.length > 0 || page.counts.duplicate > 0) return
          } catch (error) {
            expect((error as { code?: string }).code).toBe('SOURCE_DATA')
            return
          }
          kept++
          // Contracts are there exactly when they are asked for.
          const isAsked = !('include_tickers' in params) || Object.hasOwn(bent as object, 'tickers')
          const back = warehouse.answer(operation, isAsked ? params : { id: ID }, NOW)
          const pairs = operation === 'exchanges/{id}' ? { tickers: [] } : {}
          expect(back).toEqual(Array.isArray(bent) ? bent : { ...(bent as object), ...pairs })
        }),
        { numRuns: 300 },
      )
      expect(kept).toBeGreaterThan(50)
    })

    test('a body of another shape is refused or read, never a fault of our own', () => {
      assert(
        property(anything(), (body) => {
          try {
            dataset.toTables(body, context)
          } catch (error) {
            expect((error as { code?: string }).code).toBe('SOURCE_DATA')
          }
        }),
      )
    })
  },
)
