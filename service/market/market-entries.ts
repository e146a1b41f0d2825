import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { TokenRef } from '../../config/values/token-ref.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import type { MarketExchange } from './exchange-universe.ts'
import type { MarketSpec } from './market-spec.ts'
import type { Prices } from './prices.ts'

/** An object of a JSON body. */
export type Body = Record<string, unknown>

/** The present figures of a coin in one currency. A whole entry also needs the coin's history. */
export interface CoinFigures {
  current_price: number
  market_cap: number | null
  total_volume: number
  price_change_percentage_24h: number
}

/** One coin in coins/markets. Other listings take their values from it. */
export interface MarketEntry extends Body, CoinFigures {
  id: string
  market_cap_rank: number | null
  price_change_24h: number
  market_cap_change_24h: number | null
  market_cap_change_percentage_24h: number | null
  last_updated: string
}

/** The market of a spec at its moment, from which all bodies are made. */
export interface Market {
  spec: MarketSpec
  prices: Prices
  coins: readonly MarketCoin[]
  coinOf: (id: string) => MarketCoin | undefined
  /** Contract addresses in lower case. */
  coinOfToken: (platformId: string, contractAddress: string) => MarketCoin | undefined
  /** Every contract of every coin on the chain of another coin. */
  tokens: readonly (TokenRef & { coin: MarketCoin })[]
  /** The currencies of `spec.vsCurrencies`. */
  currencies: readonly Currency[]
  exchanges: readonly MarketExchange[]
  /** The entries of a currency by coin id. Made once per currency. */
  entriesIn: (currency: Currency) => ReadonlyMap<string, MarketEntry>
  exchangeBodies: () => ExchangeBodies
  derivativeBodies: () => DerivativeBodies
  /**
   * The body of an operation, with all pages; null = not found.
   * @throws Error for an operation with a series
   */
  body: (operation: OperationId, params: ParamValues) => unknown
}

export interface ExchangeBodies {
  /** The body of `exchanges`, every page in one. */
  exchanges: Body[]
  /** The body of `exchanges/{id}/tickers`, every page in one; null = no such exchange. */
  tickersOf(exchangeId: string): { name: string; tickers: Body[] } | null
  /** All tickers of a coin, first those with it as base, exchange by exchange. */
  coinTickers(coinId: string): Body[]
}

export interface DerivativeBodies {
  /** The body of derivatives. */
  tickers: Body[]
  /** The body of derivatives/exchanges, every page in one, by open interest. */
  exchanges: Body[]
  /** The body of derivatives/exchanges/{id}?include_tickers=all, by id. */
  details: ReadonlyMap<string, Body>
}

/** The sum of a figure over all entries; an entry without it adds nothing. */
export function sumOf<Figure extends string>(
  entries: Iterable<Readonly<Record<Figure, number | null>>>,
  figure: Figure,
): number {
  let sum = 0
  for (const entry of entries) sum += entry[figure] ?? 0
  return sum
}

type Pictured = 'coins' | 'exchanges' | 'categories' | 'nfts' | 'platforms'

/** The URL of a picture, with its size as a folder, as at the source. No server has it. */
export function imageUrl(of: Pictured, id: string | number, file: string): string {
  return `https://images.market.example/${of}/${id}/${file}`
}

export function coinImage(coin: MarketCoin, size: 'thumb' | 'small' | 'large'): string {
  return imageUrl('coins', coin.index, `${size}/image.png`)
}
