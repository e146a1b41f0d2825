import type { MarketCoin } from './coin-universe.ts'

/** An object of a JSON body. */
export type Body = Record<string, unknown>

/** The present figures of a coin in one currency. A whole entry also needs the coin's history. */
export interface CoinFigures {
  current_price: number
  market_cap: number | null
  total_volume: number
  price_change_percentage_24h: number
}

/** One coin in coins/markets. All other listings have the same figures. */
export interface MarketEntry extends Body, CoinFigures {
  id: string
  market_cap_rank: number | null
  price_change_24h: number
  market_cap_change_24h: number | null
  market_cap_change_percentage_24h: number | null
  last_updated: string
}

/** The sum of a figure over all coins; a coin without it adds nothing. */
export function sumOf(
  entries: Iterable<CoinFigures>,
  figure: 'market_cap' | 'total_volume',
): number {
  let sum = 0
  for (const entry of entries) sum += entry[figure] ?? 0
  return sum
}

type Pictured = 'coins' | 'exchanges' | 'categories' | 'nfts' | 'platforms'

/** The URL of a picture. No server has it. */
export function imageUrl(of: Pictured, id: string | number, file: string): string {
  return `https://images.market.example/${of}/${id}/${file}`
}

export function coinImage(coin: MarketCoin, size: 'thumb' | 'small' | 'large'): string {
  return imageUrl('coins', coin.index, `${size}.png`)
}
