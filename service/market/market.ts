import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { coinFigures, coinsMarketsBody } from './coin-listings.ts'
import { coinUniverse } from './coin-universe.ts'
import type { MarketCoin } from './coin-universe.ts'
import { currencyOf } from './currency-list.ts'
import type { Currency } from './currency-list.ts'
import { derivativeBodies } from './derivative-bodies.ts'
import type { DerivativeBodies } from './derivative-bodies.ts'
import { exchangeBodies } from './exchange-bodies.ts'
import type { ExchangeBodies } from './exchange-bodies.ts'
import { exchangeAt } from './exchange-universe.ts'
import { MARKET_BODIES } from './market-bodies.ts'
import type { MarketParts } from './market-bodies.ts'
import type { MarketEntry } from './market-entries.ts'
import { checkMarketSpec } from './market-spec.ts'
import type { MarketSpec } from './market-spec.ts'
import { createPrices } from './prices.ts'
import type { Prices } from './prices.ts'

/** The market of a spec at its moment. */
export interface Market {
  spec: MarketSpec
  prices: Prices
  coins: readonly MarketCoin[]
  /** The currencies of `spec.vsCurrencies`. */
  currencies: readonly Currency[]
  exchangeIds: readonly string[]
  derivativeExchangeIds: readonly string[]
  /** Every contract of every coin. */
  tokens: readonly MarketToken[]
  /**
   * The body of an operation, with all pages; null = not found.
   * @throws Error for an operation with a series
   */
  body(operation: OperationId, params: ParamValues): unknown
}

/** A contract of a coin on the chain of another coin. */
export interface MarketToken {
  platformId: string
  contractAddress: string
  coin: MarketCoin
}

/** The id of a token in the datasets. */
export function tokenRef({ platformId, contractAddress }: Omit<MarketToken, 'coin'>): string {
  return `${platformId}/${contractAddress}`
}

export function tokensOf(coin: MarketCoin): MarketToken[] {
  return Object.entries(coin.platforms).map(([platformId, contractAddress]) => {
    return { platformId, contractAddress, coin }
  })
}

/** @throws ConfigError MARKET_SPEC */
export function createMarket(spec: MarketSpec): Market {
  checkMarketSpec(spec)
  const parts = partsOf(spec)
  return {
    spec,
    prices: parts.prices,
    coins: parts.coins,
    currencies: spec.vsCurrencies.map(currencyOf),
    exchangeIds: parts.exchanges.map(({ id }) => id),
    get derivativeExchangeIds() {
      return [...parts.derivativeBodies().details.keys()]
    },
    tokens: parts.coins.flatMap(tokensOf),
    body: (operation, params) => {
      const make = MARKET_BODIES[operation]
      if (make === undefined) {
        throw new Error(`the simulated market has no listing for ${operation}`)
      }
      return make(parts, params)
    },
  }
}

function partsOf(spec: MarketSpec): MarketParts {
  const prices = createPrices(spec.seed)
  const coins = coinUniverse(spec.seed, spec.coins, spec.nowMs)
  const exchanges = Array.from({ length: spec.exchanges }, (_, i) => exchangeAt(spec.seed, i))
  const coinsById = new Map(coins.map((coin) => [coin.id, coin]))
  const coinsByToken = new Map(
    coins.flatMap(tokensOf).map((token) => [tokenRef(token), token.coin]),
  )
  const entries = new Map<string, ReadonlyMap<string, MarketEntry>>()
  const entriesIn: MarketParts['entriesIn'] = (currency) => {
    const known = entries.get(currency.code)
    if (known !== undefined) return known
    const listed = coinsMarketsBody(spec, prices, coins, currency)
    const made = new Map(listed.map((entry) => [entry.id, entry]))
    entries.set(currency.code, made)
    return made
  }
  const figuresIn: MarketParts['figuresIn'] = (currency, coin) =>
    coinFigures(spec, prices, coin, currency)
  let ofExchanges: ExchangeBodies | undefined
  let ofDerivatives: DerivativeBodies | undefined
  return {
    spec,
    prices,
    coins,
    coinOf: (id) => coinsById.get(id),
    coinOfToken: (platformId, contractAddress) =>
      coinsByToken.get(tokenRef({ platformId, contractAddress })),
    exchanges,
    entriesIn,
    figuresIn,
    exchangeBodies: () => (ofExchanges ??= exchangeBodies(spec, prices, coins, exchanges)),
    derivativeBodies: () =>
      (ofDerivatives ??= derivativeBodies(spec, coins, entriesIn(currencyOf('usd')), figuresIn)),
  }
}

/** The time of the market in whole seconds, as in a Date header. */
export function observedAtMs({ spec }: Market): number {
  return Math.floor(spec.nowMs / 1_000) * 1_000
}
