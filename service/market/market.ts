import { tokenText } from '../../config/values/token-ref.ts'
import { coinsMarketsBody } from './coin-listings.ts'
import { coinUniverse } from './coin-universe.ts'
import { currencyOf } from './currency-list.ts'
import { derivativeBodies } from './derivative-bodies.ts'
import { exchangeBodies } from './exchange-bodies.ts'
import { exchangeAt } from './exchange-universe.ts'
import { MARKET_BODIES } from './market-bodies.ts'
import type { DerivativeBodies, ExchangeBodies, Market, MarketEntry } from './market-entries.ts'
import { checkMarketTime, type MarketSpec } from './market-spec.ts'
import { createPrices } from './prices.ts'

/** @throws ConfigError MARKET_SPEC */
export function createMarket(spec: MarketSpec): Market {
  checkMarketTime(spec.nowMs)
  const coins = coinUniverse(spec.seed, spec.coins, spec.nowMs)
  const tokens = coins.flatMap((coin) =>
    Object.entries(coin.platforms).map(([platformId, contractAddress]) => {
      return { platformId, contractAddress, coin }
    }),
  )
  const coinsById = new Map(coins.map((coin) => [coin.id, coin]))
  const coinsByToken = new Map(tokens.map((token) => [tokenText(token), token.coin]))
  const entries = new Map<string, ReadonlyMap<string, MarketEntry>>()
  let ofExchanges: ExchangeBodies | undefined
  let ofDerivatives: DerivativeBodies | undefined
  const market: Market = {
    spec,
    prices: createPrices(spec.seed),
    coins,
    coinOf: (id) => coinsById.get(id),
    coinOfToken: (platformId, contractAddress) =>
      coinsByToken.get(tokenText({ platformId, contractAddress })),
    tokens,
    currencies: spec.vsCurrencies.map(currencyOf),
    exchanges: Array.from({ length: spec.exchanges }, (_, i) => exchangeAt(spec.seed, i)),
    entriesIn: (currency) => {
      const known = entries.get(currency.code)
      if (known !== undefined) return known
      const made = new Map(coinsMarketsBody(market, currency).map((entry) => [entry.id, entry]))
      entries.set(currency.code, made)
      return made
    },
    exchangeBodies: () => (ofExchanges ??= exchangeBodies(market)),
    derivativeBodies: () => (ofDerivatives ??= derivativeBodies(market)),
    body: (operation, params) => {
      const make = MARKET_BODIES[operation]
      if (make === undefined) {
        throw new Error(`the simulated market has no listing for ${operation}`)
      }
      return make(market, params)
    },
  }
  return market
}

/** The time of the market in whole seconds, as in a Date header. */
export function observedAtMs({ spec }: Market): number {
  return Math.floor(spec.nowMs / 1_000) * 1_000
}
