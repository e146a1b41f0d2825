import { DAY_MS } from '../../config/values/duration.ts'
import type { MarketCoin } from './coin-universe.ts'
import { currencyOf, USD, type Currency } from './currency-list.ts'
import type { MarketExchange } from './exchange-universe.ts'
import type { Market } from './market-entries.ts'
import { gaussian, streamSeed, uniform, wholeBelow } from './random.ts'
import { knotAt } from './time-grid.ts'

/** The quote side of a pair: a fiat currency, or a coin. */
interface Target {
  currency: Currency | null
  coin: MarketCoin | null
}

/** One pair on one exchange with its price. `exchange-bodies.ts` adds the volume. */
export type Quote = ReturnType<typeof quote>

/** Targets in the order in which they are used. */
const COIN_TARGETS = ['tether', 'bitcoin', 'usd-coin', 'ethereum']
const FIAT_TARGETS = ['usd', 'eur', 'krw']
/** Pairs of the market's first coins. After every 5 places coins have one less, but at least one. */
const MAX_PAIRS_PER_COIN = 5
const PAIR_TIER = 5
/** Deviation of a pair's price between exchanges, as a share. */
const PRICE_DEVIATION = 0.0008
const STALE_ONE_IN = 40
const STALE_DAYS = 3
const ANOMALY_ONE_IN = 60
const MAX_TRADE_AGE_MS = 120_000

type Pair = readonly [base: MarketCoin, target: Target]

/**
 * The quotes of one exchange: `tickersPerExchange`, or all possible pairs. Half of them are of the first coins. The
 * other half has one pair of each coin in turn. Each exchange goes on where the one before stopped, so that no coin is
 * without a pair.
 */
export function quotesOf(market: Market, exchange: MarketExchange): Quote[] {
  const { spec, coins } = market
  const targets = targetsAmong(coins)
  const quotes: Quote[] = []
  const listed = new Set<string>()
  const list = (pairs: Iterable<Pair>, most: number): void => {
    for (const [base, target] of pairs) {
      if (quotes.length >= most) return
      const pair = `${base.index} ${targetName(target)}`
      if (listed.has(pair) || target.coin?.id === base.id) continue
      listed.add(pair)
      quotes.push(quote(market, exchange, base, target))
    }
  }
  const inTurn = Math.floor(spec.tickersPerExchange / 2)
  list(usualPairs(coins, targets), spec.tickersPerExchange - inTurn)
  list(pairsInTurn(coins, targets, exchange.index * inTurn), spec.tickersPerExchange)
  list(usualPairs(coins, targets), spec.tickersPerExchange)
  return quotes
}

/** First the usual pairs of every coin in their order, then one more pair each, until all are there. */
function* usualPairs(coins: readonly MarketCoin[], targets: readonly Target[]): Iterable<Pair> {
  for (let more = 0; more <= targets.length; more++) {
    for (const [place, base] of coins.entries()) {
      const usual = Math.max(1, MAX_PAIRS_PER_COIN - Math.floor(place / PAIR_TIER))
      const added =
        more === 0 ? targets.slice(0, usual) : targets.slice(usual + more - 1).slice(0, 1)
      for (const target of added) yield [base, target]
    }
  }
}

/** The first pair of every coin, from a place of the list on. */
function* pairsInTurn(
  coins: readonly MarketCoin[],
  targets: readonly Target[],
  from: number,
): Iterable<Pair> {
  for (let place = from; place < from + coins.length; place++) {
    const base = coins[place % coins.length]!
    yield [base, targets.find(({ coin }) => coin?.id !== base.id)!]
  }
}

function targetName({ coin, currency }: Target): string {
  return coin?.id ?? currency!.code
}

function targetsAmong(coins: readonly MarketCoin[]): Target[] {
  const ofCoins = COIN_TARGETS.flatMap((id) => {
    const coin = coins.find((candidate) => candidate.id === id)
    return coin === undefined ? [] : [{ coin, currency: null }]
  })
  const ofMoney = FIAT_TARGETS.map((code) => ({ coin: null, currency: currencyOf(code) }))
  // Coins and fiat money alternate, so that every exchange has both.
  const longest = Math.max(ofCoins.length, ofMoney.length)
  return Array.from({ length: longest }, (_, place) => [ofCoins[place], ofMoney[place]])
    .flat()
    .filter((target) => target !== undefined)
}

function quote(
  { spec, prices, entriesIn }: Market,
  exchange: MarketExchange,
  base: MarketCoin,
  target: Target,
) {
  const random = streamSeed(spec.seed, `quote ${exchange.index} ${targetName(target)}`, base.index)
  const isStale = uniform(random, 0) * STALE_ONE_IN < 1
  const isAnomaly = !isStale && uniform(random, 1) * ANOMALY_ONE_IN < 1
  const ageMs = wholeBelow(random, 2, MAX_TRADE_AGE_MS) + (isStale ? STALE_DAYS * DAY_MS : 0)
  const knot = knotAt(spec.nowMs - (isStale ? STALE_DAYS * DAY_MS : 0))
  // Prices of now come from the listing, because a second random walk of every coin takes long.
  const usdOf = (coin: MarketCoin): number =>
    isStale ? prices.price(coin, USD, knot) : entriesIn(USD).get(coin.id)!.current_price
  const priceFactor = isAnomaly
    ? 1.5 + uniform(random, 3)
    : 1 + PRICE_DEVIATION * gaussian(random, 4)
  const lastUsd = usdOf(base) * priceFactor
  const targetPerUsd =
    target.coin === null ? prices.perUsd(target.currency!, knot) : 1 / usdOf(target.coin)
  return {
    exchange,
    base,
    target,
    /** Units of the target for one unit of the base. */
    last: lastUsd * targetPerUsd,
    /** USD for one unit of the base, at this exchange. */
    lastUsd,
    /** Relative size among all quotes of the base. */
    weight: exchange.weight * (0.2 + uniform(random, 5)),
    spreadPercent: Math.round((0.01 + 0.4 * uniform(random, 6)) * 1e6) / 1e6,
    isStale,
    isAnomaly,
    tradedAtMs: Math.floor((spec.nowMs - ageMs) / 1_000) * 1_000,
  }
}
