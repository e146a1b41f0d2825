import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import { coinImage, type CoinFigures, type MarketEntry, type Market } from './market-entries.ts'
import { streamSeed, uniform, wholeBelow } from './random.ts'
import { KNOT_MS, KNOTS_PER_DAY, KNOTS_PER_HOUR, knotAt } from './time-grid.ts'

/** Orders by UTF-16 units, one key after the other. DuckDB orders the texts of the market in the same way. */
export function byText<Key extends string>(...keys: Key[]) {
  type Sorted = Readonly<Partial<Record<Key, unknown>>>
  const textOf = (row: Sorted): string => keys.map((key) => String(row[key])).join('\n')
  return (a: Sorted, b: Sorted): number => {
    const [left, right] = [textOf(a), textOf(b)]
    if (left === right) return 0
    return left < right ? -1 : 1
  }
}

/** The body of coins/list?include_platform=true. */
export function coinsListBody(
  coins: readonly MarketCoin[],
): Pick<MarketCoin, 'id' | 'symbol' | 'name' | 'platforms'>[] {
  return coins
    .map(({ id, symbol, name, platforms }) => ({ id, symbol, name, platforms }))
    .sort(byText('id'))
}

/** The source rounds percentages to five decimals. */
const PERCENT_SCALE = 1e5
/** Greatest age of listed figures. */
const MAX_AGE_MS = 50_000
/** In these last days high and low are searched by the hour: candles reach so far. */
const EXTREME_HOURS_DAYS = 365
/** One coin in this many has a return since its public sale. */
const ROI_ONE_IN = 9

/** The body of coins/markets with every coin, by id. The figures are those of the last chart point. */
export function coinsMarketsBody(market: Market, vs: Currency): MarketEntry[] {
  // Ranks are set afterwards: an extra pass before would make each coin's random walk twice.
  const entries = market.coins.map((coin) => marketEntry(market, coin, vs))
  const capOf = (entry: MarketEntry): number => entry.market_cap ?? 0
  const ranked = entries.filter((entry) => capOf(entry) > 0).sort((a, b) => capOf(b) - capOf(a))
  for (const [place, entry] of ranked.entries()) entry.market_cap_rank = place + 1
  return entries.sort(byText('id'))
}

/** Price, market cap and volume of a coin now. */
export function coinFigures({ spec, prices }: Market, coin: MarketCoin, vs: Currency): CoinFigures {
  const knot = knotAt(spec.nowMs)
  const price = prices.price(coin, vs, knot)
  return {
    current_price: price,
    market_cap: prices.marketCap(coin, vs, knot),
    total_volume: prices.volume24h(coin, vs, knot),
    price_change_percentage_24h: percent(price, prices.price(coin, vs, knot - KNOTS_PER_DAY)),
  }
}

/** The entry of a coin, without its rank. */
function marketEntry(market: Market, coin: MarketCoin, vs: Currency): MarketEntry {
  const { spec, prices } = market
  const random = streamSeed(spec.seed, 'listing', coin.index)
  const knot = knotAt(spec.nowMs)
  const priceAt = (at: number): number => prices.price(coin, vs, at)
  const figures = coinFigures(market, coin, vs)
  const { current_price: price, market_cap: cap } = figures
  const supply = prices.supply(coin, knot)
  const day = extremes(priceAt, knot - KNOTS_PER_DAY, knot, 1)
  const ever = everExtremes(priceAt, coin, knot, day)
  const yesterday = priceAt(knot - KNOTS_PER_DAY)
  const capYesterday = prices.marketCap(coin, vs, knot - KNOTS_PER_DAY) ?? 0
  // Without a cap of yesterday there is no change.
  const capChange = cap === null || cap === 0 || capYesterday === 0 ? null : cap - capYesterday
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: coinImage(coin, 'large'),
    current_price: price,
    market_cap: cap,
    market_cap_rank: null,
    fully_diluted_valuation: coin.maxSupply === null ? null : price * coin.maxSupply,
    total_volume: figures.total_volume,
    high_24h: day.high,
    low_24h: day.low,
    price_change_24h: price - yesterday,
    price_change_percentage_24h: figures.price_change_percentage_24h,
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
    last_updated: new Date(spec.nowMs - 1 - wholeBelow(random, 1, MAX_AGE_MS)).toISOString(),
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

/** Changes of the price over every time frame. */
function changesOver(
  priceAt: (knot: number) => number,
  coin: MarketCoin,
  knot: number,
): Record<string, number | null> {
  const changes = TIME_FRAMES.map(([name, hours]) => [
    `price_change_percentage_${name}_in_currency`,
    changeOver(priceAt, coin, knot, hours),
  ])
  return Object.fromEntries(changes) as Record<string, number | null>
}

/** The change of the price up to a knot, in percent; null = the coin is younger. */
export function changeOver(
  priceAt: (knot: number) => number,
  coin: MarketCoin,
  knot: number,
  hours: number,
): number | null {
  const then = knot - hours * KNOTS_PER_HOUR
  const isYounger = then < coin.listedDay * KNOTS_PER_DAY
  return isYounger ? null : percent(priceAt(knot), priceAt(then))
}

type Extremes = ReturnType<typeof extremes>

function extremes(priceAt: (knot: number) => number, from: number, to: number, step: number) {
  const price = priceAt(from)
  const found = { high: price, highKnot: from, low: price, lowKnot: from }
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

/** All-time high and low: from all days, the hours of the last year, the knots of the last day. */
function everExtremes(
  priceAt: (knot: number) => number,
  coin: MarketCoin,
  knot: number,
  day: Extremes,
): Extremes {
  const listed = coin.listedDay * KNOTS_PER_DAY
  const today = Math.floor(knot / KNOTS_PER_DAY) * KNOTS_PER_DAY
  const thisHour = Math.floor(knot / KNOTS_PER_HOUR) * KNOTS_PER_HOUR
  const found = extremes(priceAt, listed, today, KNOTS_PER_DAY)
  const hoursFrom = Math.max(listed, today - EXTREME_HOURS_DAYS * KNOTS_PER_DAY)
  for (let at = hoursFrom; at <= thisHour; at += KNOTS_PER_HOUR) widen(found, at, priceAt(at))
  widen(found, day.highKnot, day.high)
  widen(found, day.lowKnot, day.low)
  return found
}

function percent(now: number, then: number): number {
  // + 0 turns -0 into 0, as JSON.stringify does.
  return Math.round((now / then - 1) * 100 * PERCENT_SCALE) / PERCENT_SCALE + 0
}

function roi(random: number): { times: number; currency: string; percentage: number } {
  const times = uniform(random, 2) * 40
  return { times, currency: 'usd', percentage: times * 100 }
}
