import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'

/** An object of a JSON body. */
export type Body = Record<string, unknown>

/** The figures of a coin's moment in one currency: cheap, where a whole entry looks at its years. */
export interface CoinFigures {
  current_price: number
  market_cap: number | null
  total_volume: number
  price_change_percentage_24h: number
}

/** One coin as coins/markets lists it: the figures that every other listing agrees with. */
export interface MarketEntry extends Body, CoinFigures {
  id: string
  market_cap_rank: number | null
  price_change_24h: number
  market_cap_change_24h: number | null
  market_cap_change_percentage_24h: number | null
  last_updated: string
}

/** Entries by coin id, for each currency; made once a currency. */
export type EntriesIn = (currency: Currency) => ReadonlyMap<string, MarketEntry>

/** The figures of one coin, those of its entry in that currency. */
export type FiguresIn = (currency: Currency, coin: MarketCoin) => CoinFigures

/** The sum of a figure over all coins; a coin without it adds nothing. */
export function sumOf(
  entries: ReadonlyMap<string, MarketEntry>,
  figure: 'market_cap' | 'total_volume',
): number {
  let sum = 0
  for (const entry of entries.values()) sum += entry[figure] ?? 0
  return sum
}
