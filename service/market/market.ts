import { ConfigError } from '../../config/config-error.ts'
import { coinsListBody, coinsMarketsBody } from './coin-listings.ts'
import { coinUniverse } from './coin-universe.ts'
import type { MarketCoin } from './coin-universe.ts'
import { CURRENCIES } from './currency-list.ts'
import type { Currency } from './currency-list.ts'
import { exchangeBodies } from './exchange-bodies.ts'
import { exchangeRatesBody } from './exchange-rates.ts'
import { checkMarketSpec } from './market-spec.ts'
import type { MarketSpec } from './market-spec.ts'
import { createPrices } from './prices.ts'
import type { Prices } from './prices.ts'

/** A market of a spec: its coins and prices, and the listings the source would give, every page in one. */
export interface Market {
  spec: MarketSpec
  prices: Prices
  coins: readonly MarketCoin[]
  /** Those of `spec.vsCurrencies`. */
  currencies: readonly Currency[]
  exchangeIds: readonly string[]
  coinsList(): unknown
  coinsMarkets(vsCurrency: string): unknown
  exchanges(): unknown
  exchangesList(): unknown
  /** @param order as in the interface; `base_target` sorts, anything else is the market's own order. */
  exchangeTickers(exchangeId: string, order: string | undefined): unknown
  exchangeRates(): unknown
}

/** @throws ConfigError MARKET_SPEC */
export function createMarket(spec: MarketSpec): Market {
  checkMarketSpec(spec)
  const prices = createPrices(spec.seed)
  const coins = coinUniverse(spec.seed, spec.coins, spec.nowMs)
  const exchanges = exchangeBodies(spec, prices, coins)
  return {
    spec,
    prices,
    coins,
    currencies: spec.vsCurrencies.map(currencyOf),
    exchangeIds: [...exchanges.tickers.keys()],
    coinsList: () => coinsListBody(coins),
    coinsMarkets: (vsCurrency) => coinsMarketsBody(spec, prices, coins, currencyOf(vsCurrency)),
    exchanges: () => exchanges.exchanges,
    exchangesList: () => exchanges.list,
    exchangeTickers: (exchangeId, order) => {
      const { name, tickers } = exchanges.tickers.get(exchangeId)!
      const sorted = order === 'base_target' ? tickers.toSorted(byBaseAndTarget) : tickers
      return { name, tickers: sorted }
    },
    exchangeRates: () => exchangeRatesBody(spec, prices),
  }
}

function byBaseAndTarget(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const [left, right] = [a, b].map((row) => `${String(row['base'])}\n${String(row['target'])}`)
  if (left === right) return 0
  return left! < right! ? -1 : 1
}

function currencyOf(code: string): Currency {
  const currency = CURRENCIES.find((candidate) => candidate.code === code)
  if (currency === undefined) {
    throw new ConfigError(`simulated market: unknown currency ${JSON.stringify(code)}`, {
      code: 'MARKET_SPEC',
      hint: 'Choose one of the currencies in service/market/currency-list.ts.',
    })
  }
  return currency
}
