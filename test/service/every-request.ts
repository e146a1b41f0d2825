import { type Operation, operations } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { DERIVATIVE_EXCHANGES } from '../../service/market/derivative-bodies.ts'
import type { Market } from '../../service/market/market-entries.ts'

export interface SourceRequest {
  operation: Operation['id']
  params: ParamValues
}

const DAY_MS = 86_400_000
/** A text that is unknown in any place. */
const UNKNOWN = 'no-such-thing'

/**
 * Requests for every operation: each thing that it can be asked for, one that nobody knows, and each
 * value of each optional parameter once.
 */
export function everyRequest(market: Market): SourceRequest[] {
  return Object.values(operations).flatMap((operation) => {
    const subjects = subjectsOf(operation, market)
    const plain = subjects.map((subject) => ({ ...requiredOf(operation, market), ...subject }))
    const varied = operation.params
      .filter(({ name, required }) => !required && !(name in plain[0]!))
      .flatMap(({ name, allowed, example, default: preset }) =>
        (allowed ?? [example ?? preset ?? '1']).map((value) => ({ ...plain[0], [name]: value })),
      )
    return [...plain, ...varied].map((params) => ({ operation: operation.id, params }))
  })
}

function subjectsOf({ id }: Operation, market: Market): ParamValues[] {
  const as = (name: string, values: readonly string[]): ParamValues[] =>
    [...values, UNKNOWN].map((value) => ({ [name]: value }))
  const coinIds = market.coins.map((coin) => coin.id)
  const addresses = market.tokens.map(({ contractAddress }) => contractAddress)
  if (id.includes('{contract_address}')) {
    return [
      ...as('contract_address', addresses).map((one) => ({ ...one, id: 'ethereum' })),
      { id: UNKNOWN, contract_address: addresses[0]! },
    ]
  }
  if (id === 'simple/token_price/{id}') return as('id', ['ethereum'])
  const derivative = DERIVATIVE_EXCHANGES.map((one) => one.id)
  if (id.startsWith('derivatives/exchanges/{id}')) return as('id', derivative)
  if (id.startsWith('exchanges/{id}')) {
    return as('id', [...market.exchanges.map((one) => one.id), ...derivative])
  }
  if (id.startsWith('coins/{id}')) return as('id', coinIds)
  if (id === 'coins/markets') return [{}, ...as('category', ['layer-1']), ...as('ids', coinIds)]
  return id === 'search' ? as('query', ['bitcoin', 'a']) : [{}]
}

function requiredOf({ params }: Operation, { spec, coins, tokens }: Market): ParamValues {
  const values: ParamValues = {
    vs_currency: spec.vsCurrencies[0]!,
    vs_currencies: spec.vsCurrencies.join(','),
    ids: coins.map(({ id }) => id).join(','),
    contract_addresses: tokens.map(({ contractAddress }) => contractAddress).join(','),
    date: new Date(spec.nowMs - DAY_MS).toISOString().slice(0, 10),
    from: String(Math.floor((spec.nowMs - 20 * DAY_MS) / 1_000)),
    to: String(Math.floor(spec.nowMs / 1_000)),
    days: '7',
  }
  const required = params.filter((param) => param.required && values[param.name] !== undefined)
  return Object.fromEntries(required.map(({ name }) => [name, values[name]!]))
}
