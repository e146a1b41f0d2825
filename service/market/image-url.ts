import type { MarketCoin } from './coin-universe.ts'

type Pictured = 'coins' | 'exchanges' | 'categories' | 'nfts' | 'platforms'

/** The URL of a picture, which nobody serves. */
export function imageUrl(of: Pictured, id: string | number, file: string): string {
  return `https://images.market.example/${of}/${id}/${file}`
}

/** The URL of a coin's picture. */
export function coinImage(coin: MarketCoin, size: 'thumb' | 'small' | 'large'): string {
  return imageUrl('coins', coin.index, `${size}.png`)
}
