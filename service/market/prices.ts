import type { MarketCoin } from './coin-universe.ts'
import { CURRENCIES, type Currency } from './currency-list.ts'
import { KNOWN_COINS } from './known-coins.ts'
import { gaussian, streamSeed, uniform } from './random.ts'
import { createWalk, type Walk } from './random-walk.ts'
import { ANCHOR_DAY, KNOTS_PER_DAY, dayAt } from './time-grid.ts'

export type Prices = ReturnType<typeof createPrices>

/** The part of every coin's changes that is common to all. */
const MARKET_SHARE = 0.6
/** Days after the listing for which the market cap is 0. */
const UNKNOWN_CAP_DAYS = 14
/** One day in this many has no market cap, as in the real series. */
const LOST_CAP_ONE_IN = 997
/** The source has no volumes before this day. */
const FIRST_VOLUME_DAY = dayAt(Date.UTC(2013, 11, 27))
const VOLUME_DEVIATION = 0.4
/** Growth of the supply per year, as a share. */
const YEARLY_GROWTH = 0.03
const MIN_SUPPLY_SHARE = 0.1
const DAYS_PER_YEAR = 365
/** Most walks in memory. A walk takes 100 kB, and a third of a millisecond to make again. */
const MAX_COIN_WALKS = 500

/** The known coins. Every currency that is a coin is among them. */
const KNOWN_BY_ID: ReadonlyMap<string, MarketCoin> = new Map(
  KNOWN_COINS.map((coin, index) => [coin.id, { index, ...coin }]),
)

/** Prices, market caps and volumes of coins by knot (time-grid.ts), for one seed. */
export function createPrices(seed: number) {
  const coinWalks = new Map<number, Walk>()
  const moneyWalks = new Map<string, Walk>()

  const walkOf = (coin: MarketCoin): Walk => {
    const known = coinWalks.get(coin.index)
    if (known !== undefined) return known
    const made = createWalk({
      seed,
      name: 'coin',
      index: coin.index,
      dayDeviation: coin.dayDeviation,
      marketShare: coin.isPegged ? 0 : MARKET_SHARE,
      anchorLog: Math.log(coin.anchorUsd),
      isPegged: coin.isPegged,
    })
    // The oldest walk goes: series and listings read one coin after the other.
    if (coinWalks.size >= MAX_COIN_WALKS) coinWalks.delete(coinWalks.keys().next().value!)
    coinWalks.set(coin.index, made)
    return made
  }

  const usdPrice = (coin: MarketCoin, knot: number): number => Math.exp(walkOf(coin)(knot))

  /** Units of a currency for one US dollar. */
  const perUsd = (currency: Currency, knot: number): number => {
    if (currency.coin !== undefined) {
      return currency.coin.units / usdPrice(KNOWN_BY_ID.get(currency.coin.id)!, knot)
    }
    if (currency.dayDeviation === 0) return currency.perUsd
    let walk = moneyWalks.get(currency.code)
    if (walk === undefined) {
      walk = createWalk({
        seed,
        name: 'money',
        index: CURRENCIES.indexOf(currency),
        dayDeviation: currency.dayDeviation,
        marketShare: 0,
        anchorLog: Math.log(currency.perUsd),
        isPegged: false,
      })
      moneyWalks.set(currency.code, walk)
    }
    return Math.exp(walk(knot))
  }

  const price = (coin: MarketCoin, vs: Currency, knot: number): number =>
    // The price of a coin in itself is exact, without a division.
    vs.coin?.id === coin.id ? vs.coin.units : usdPrice(coin, knot) * perUsd(vs, knot)

  return {
    price,
    supply,
    perUsd,
    /** 0 = unknown, in the first weeks after the listing; null = missing, on single days. As at the source. */
    marketCap: (coin: MarketCoin, vs: Currency, knot: number): number | null => {
      const day = Math.floor(knot / KNOTS_PER_DAY)
      if (day < coin.listedDay + UNKNOWN_CAP_DAYS && coin.index > 0) return 0
      if (uniform(streamSeed(seed, 'lost cap', coin.index), day) * LOST_CAP_ONE_IN < 1) return null
      return price(coin, vs, knot) * supply(coin, knot)
    },
    /** Rolling 24 hours. */
    volume24h: (coin: MarketCoin, vs: Currency, knot: number): number => {
      if (Math.floor(knot / KNOTS_PER_DAY) < FIRST_VOLUME_DAY) return 0
      const volume = price(coin, vs, knot) * supply(coin, knot) * turnover(seed, coin)
      return volume * Math.exp(VOLUME_DEVIATION * liveliness(seed, coin, knot))
    },
  }
}

/** Coins in circulation, a whole number. */
function supply(coin: MarketCoin, knot: number): number {
  const years = (Math.floor(knot / KNOTS_PER_DAY) - ANCHOR_DAY) / DAYS_PER_YEAR
  const share = Math.max(1 + YEARLY_GROWTH * years, MIN_SUPPLY_SHARE)
  return Math.min(Math.round(coin.anchorSupply * share), coin.maxSupply ?? Infinity)
}

/** The share of the market cap that is traded in a day, 1 to 15 %. */
function turnover(seed: number, coin: MarketCoin): number {
  return 0.01 + 0.14 * uniform(streamSeed(seed, 'turnover'), coin.index)
}

/** Noise by day with straight lines in between: a rolling figure has no jumps. */
function liveliness(seed: number, coin: MarketCoin, knot: number): number {
  const random = streamSeed(seed, 'volume', coin.index)
  const day = Math.floor(knot / KNOTS_PER_DAY)
  const part = (knot - day * KNOTS_PER_DAY) / KNOTS_PER_DAY
  return gaussian(random, day) * (1 - part) + gaussian(random, day + 1) * part
}
