import { randomOf } from '../../test/parts/random-of.ts'

/** Coins on a page of coins/markets: the most of the interface. */
export const COINS_PER_PAGE = 250

/** Prices of nearly every size, from 1e-11 to 1e5. */
const SMALLEST_EXPONENT = -11
const EXPONENTS = 16
/** Every third coin has no maximal supply. */
const WITHOUT_MAX_SUPPLY = 3
const NEWEST_MS = Date.UTC(2024, 5, 1)
const YEAR_MS = 365 * 86_400_000

/** One entry of coins/markets with all 26 fields. `roi` is null, as for nearly every real coin. */
export interface MarketEntry {
  id: string
  symbol: string
  name: string
  image: string
  market_cap_rank: number
  ath_date: string
  atl_date: string
  last_updated: string
  roi: null
  [amount: string]: string | number | null
}

/** The body of page `page` (from 1), about 230 kB: doubles of all sizes, with all digits. */
export function marketPage(page: number): Buffer {
  const random = randomOf(page)
  const first = (page - 1) * COINS_PER_PAGE
  const entries = Array.from({ length: COINS_PER_PAGE }, (_, place) =>
    marketEntry(first + place, random),
  )
  return Buffer.from(JSON.stringify(entries))
}

function marketEntry(coin: number, random: () => number): MarketEntry {
  const price = 10 ** (SMALLEST_EXPONENT + random() * EXPONENTS)
  const supply = 1e9 * (0.5 + random())
  const near = (value: number): number => value * (0.9 + random() * 0.2)
  const percent = (): number => (random() - 0.5) * 100
  const moment = (): string => new Date(NEWEST_MS - Math.floor(random() * YEAR_MS)).toISOString()
  return {
    id: `coin-${coin}`,
    symbol: `c${coin}`,
    name: `Coin ${coin}`,
    image: `https://images.example.com/coins/${coin}/large/coin-${coin}.png?${1_547_033_579 + coin}`,
    current_price: price,
    market_cap: price * supply,
    market_cap_rank: coin + 1,
    fully_diluted_valuation: near(price * supply),
    total_volume: near(price * 1e6),
    high_24h: near(price),
    low_24h: near(price),
    price_change_24h: price * (random() - 0.5),
    price_change_percentage_24h: percent(),
    market_cap_change_24h: price * supply * (random() - 0.5),
    market_cap_change_percentage_24h: percent(),
    circulating_supply: supply,
    total_supply: near(supply),
    max_supply: coin % WITHOUT_MAX_SUPPLY === 0 ? null : near(supply),
    ath: near(price * 10),
    ath_change_percentage: percent(),
    ath_date: moment(),
    atl: near(price / 10),
    atl_change_percentage: percent(),
    atl_date: moment(),
    roi: null,
    last_updated: moment(),
  }
}
