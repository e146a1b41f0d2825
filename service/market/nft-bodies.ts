import { imageUrl, type Body } from './market-entries.ts'
import { gaussian, streamSeed, uniform } from './random.ts'

const COLLECTIONS: readonly [id: string, name: string, symbol: string][] = [
  ['painted-coins', 'Painted Coins', 'PAINT'],
  ['ducks-on-a-lake', 'DUCKS: on a "Lake"', 'DUCK2'],
  ['nobodys-apes', "Nobody's Apes 🦆", 'NBA'],
]

/** Collections as search/trending lists them. Floor prices are in ETH, as text and as number. */
export function trendingNfts(seed: number, day: number): Body[] {
  return COLLECTIONS.map(([id, name, symbol], place) => {
    const random = streamSeed(seed, `collection ${day}`, place)
    const floor = Math.round(uniform(random, 0) * 1e4) / 1e3
    const change = 5 * gaussian(random, 1)
    const volume = (uniform(random, 2) * 20).toFixed(2)
    return {
      id,
      name,
      symbol,
      thumb: imageUrl('nfts', id, 'thumb/image.png'),
      nft_contract_id: 1_000 + place,
      native_currency_symbol: 'eth',
      floor_price_in_native_currency: floor,
      floor_price_24h_percentage_change: change,
      data: {
        floor_price: `${floor.toFixed(2)} ETH`,
        floor_price_in_usd_24h_percentage_change: String(change),
        h24_volume: `${volume} ETH`,
        h24_average_sale_price: `${(Number(volume) / 7).toFixed(3)} ETH`,
        sparkline: imageUrl('nfts', id, 'sparkline.svg'),
        content: null,
      },
    }
  })
}
