import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import type { MarketEntry } from './market-entries.ts'
import type { MarketSpec } from './market-spec.ts'
import type { Prices } from './prices.ts'
import { pick, stream, uniform } from './random.ts'
import { KNOT_MS, KNOTS_PER_DAY, KNOTS_PER_HOUR, knotAt } from './time-grid.ts'

/** One row of coins/list, platforms included. */
export interface CoinListing {
  id: string
  symbol: string
  name: string
  platforms: Record<string, string>
}

/** Orders ids as DuckDB does: by code points, with no language in mind. */
export function byId(a: { id: string }, b: { id: string }): number {
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

/** The body of coins/list?include_platform=true, by id. */
export function coinsListBody(coins: readonly MarketCoin[]): CoinListing[] {
  return coins
    .map(({ id, symbol, name, platforms }) => ({ id, symbol, name, platforms }))
    .sort(byId)
}

/** Figures of a market entry that are rounded as the source rounds percentages. */
const PERCENT_DECIMALS = 1e5
/** The figures are at most this old when they are listed. */
const MAX_AGE_MS = 50_000
/** So far back the highest and lowest price ever are looked for by the hour: as far as candles reach. */
const EXTREME_HOURS_DAYS = 365
/** One coin in so many has a return on investment since its sale. */
const ROI_ONE_IN = 9

/**
 * The body of coins/markets with every coin, by id. Price, cap and volume are those of the last point
 * of the coin's charts, exactly.
 */
export function coinsMarketsBody(
  spec: MarketSpec,
  prices: Prices,
  coins: readonly MarketCoin[],
  vs: Currency,
): MarketEntry[] {
  const knot = knotAt(spec.nowMs)
  const caps = new Map(coins.map((coin) => [coin.id, prices.marketCap(coin, vs, knot) ?? 0]))
  const ranked = coins
    .filter((coin) => caps.get(coin.id)! > 0)
    .sort((a, b) => caps.get(b.id)! - caps.get(a.id)!)
  const ranks = new Map(ranked.map((coin, place) => [coin.id, place + 1]))
  return coins
    .map((coin) => marketEntry(spec, prices, coin, vs, ranks.get(coin.id) ?? null))
    .sort(byId)
}

function marketEntry(
  spec: MarketSpec,
  prices: Prices,
  coin: MarketCoin,
  vs: Currency,
  rank: number | null,
): MarketEntry {
  const random = stream(spec.seed, 'listing', coin.index)
  const knot = knotAt(spec.nowMs)
  const priceAt = (at: number): number => prices.price(coin, vs, at)
  const price = priceAt(knot)
  const supply = prices.supply(coin, knot)
  const cap = prices.marketCap(coin, vs, knot)
  const day = extremes(priceAt, knot - KNOTS_PER_DAY, knot, 1)
  const ever = everExtremes(priceAt, coin, knot)
  const yesterday = priceAt(knot - KNOTS_PER_DAY)
  const capYesterday = prices.marketCap(coin, vs, knot - KNOTS_PER_DAY) ?? 0
  // A cap that was unknown yesterday has no change.
  const capChange = cap === null || cap === 0 || capYesterday === 0 ? null : cap - capYesterday
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: `https://images.market.example/coins/${coin.index}/large.png`,
    current_price: price,
    market_cap: cap,
    market_cap_rank: rank,
    fully_diluted_valuation: coin.maxSupply === null ? null : price * coin.maxSupply,
    total_volume: prices.volume24h(coin, vs, knot),
    high_24h: day.high,
    low_24h: day.low,
    price_change_24h: price - yesterday,
    price_change_percentage_24h: percent(price, yesterday),
    market_cap_change_24h: capChange,
    market_cap_change_percentage_24h: capChange === null ? null : percent(cap!, capYesterday),
    circulating_supply: supply,
    total_supply: uniform(random, 0) < 0.2 ? null : supply,
    max_supply: coin.maxSupply,
    ath: ever.high,
    ath_change_percentage: percent(price, ever.high),
    ath_date: new Date(ever.highKnot * KNOT_MS).toISOString(),
    atl: ever.low,
    atl_change_percentage: percent(price, ever.low),
    atl_date: new Date(ever.lowKnot * KNOT_MS).toISOString(),
    roi: coin.index % ROI_ONE_IN === 1 ? roi(random) : null,
    ...changesOver(priceAt, coin, knot),
    last_updated: new Date(spec.nowMs - 1 - pick(random, 1, MAX_AGE_MS)).toISOString(),
  }
}

/** The time frames of `price_change_percentage`, in hours. */
const TIME_FRAMES: readonly [name: string, hours: number][] = [
  ['1h', 1],
  ['24h', 24],
  ['7d', 7 * 24],
  ['14d', 14 * 24],
  ['30d', 30 * 24],
  ['200d', 200 * 24],
  ['1y', 365 * 24],
]

/** Change of the price over every time frame; null where the coin is younger. */
function changesOver(
  priceAt: (knot: number) => number,
  coin: MarketCoin,
  knot: number,
): Record<string, number | null> {
  const changes = TIME_FRAMES.map(([name, hours]) => {
    const then = knot - hours * KNOTS_PER_HOUR
    const isYounger = then < coin.listedDay * KNOTS_PER_DAY
    const change = isYounger ? null : percent(priceAt(knot), priceAt(then))
    return [`price_change_percentage_${name}_in_currency`, change]
  })
  return Object.fromEntries(changes) as Record<string, number | null>
}

interface Extremes {
  high: number
  highKnot: number
  low: number
  lowKnot: number
}

function extremes(
  priceAt: (knot: number) => number,
  from: number,
  to: number,
  step: number,
): Extremes {
  const price = priceAt(from)
  const found: Extremes = { high: price, highKnot: from, low: price, lowKnot: from }
  for (let knot = from; knot <= to; knot += step) widen(found, knot, priceAt(knot))
  return found
}

function widen(found: Extremes, knot: number, price: number): void {
  if (price > found.high) {
    found.high = price
    found.highKnot = knot
  }
  if (price < found.low) {
    found.low = price
    found.lowKnot = knot
  }
}

/** Over the days of a coin's life, the hours of the last quarter and the knots of the last day. */
function everExtremes(priceAt: (knot: number) => number, coin: MarketCoin, knot: number): Extremes {
  const listed = coin.listedDay * KNOTS_PER_DAY
  const today = Math.floor(knot / KNOTS_PER_DAY) * KNOTS_PER_DAY
  const thisHour = Math.floor(knot / KNOTS_PER_HOUR) * KNOTS_PER_HOUR
  const found = extremes(priceAt, listed, today, KNOTS_PER_DAY)
  const hoursFrom = Math.max(listed, today - EXTREME_HOURS_DAYS * KNOTS_PER_DAY)
  for (let at = hoursFrom; at <= thisHour; at += KNOTS_PER_HOUR) widen(found, at, priceAt(at))
  for (let at = knot - KNOTS_PER_DAY; at <= knot; at++) widen(found, at, priceAt(at))
  return found
}

function percent(now: number, then: number): number {
  // JSON knows no negative zero: + 0 makes it the zero that comes back.
  return Math.round((now / then - 1) * 100 * PERCENT_DECIMALS) / PERCENT_DECIMALS + 0
}

function roi(random: number): { times: number; currency: string; percentage: number } {
  const times = uniform(random, 2) * 40
  return { times, currency: 'usd', percentage: times * 100 }
}
