import { isOfDefi } from './categories.ts'
import type { MarketCoin } from './coin-universe.ts'
import { USD } from './currency-list.ts'
import { sumOf, type Body, type MarketEntry, type Market } from './market-entries.ts'

/** The body names the shares of so many coins. */
const DOMINANT_COINS = 10
/** Decimals of numbers sent as text; more than a double has. */
const TEXT_DIGITS = 40

/** The body of `global`. Its sums agree with `coins/markets`. */
export function globalBody({ spec, coins, exchanges, currencies, entriesIn }: Market): Body {
  const inUsd = entriesIn(USD)
  const cap = sumOf(inUsd.values(), 'market_cap')
  const change = sumOf(inUsd.values(), 'market_cap_change_24h')
  const largest = largestFirst(coins, inUsd).slice(0, DOMINANT_COINS)
  const inEach = (figure: 'market_cap' | 'total_volume'): Record<string, number> =>
    Object.fromEntries(
      currencies.map((currency) => [currency.code, sumOf(entriesIn(currency).values(), figure)]),
    )
  return {
    data: {
      active_cryptocurrencies: coins.length,
      upcoming_icos: 0,
      ongoing_icos: 49,
      ended_icos: 3_376,
      markets: exchanges.length,
      total_market_cap: inEach('market_cap'),
      total_volume: inEach('total_volume'),
      market_cap_percentage: Object.fromEntries(
        largest.map((coin) => [coin.symbol, ((inUsd.get(coin.id)!.market_cap ?? 0) / cap) * 100]),
      ),
      market_cap_change_percentage_24h_usd: (change / (cap - change)) * 100,
      updated_at: Math.floor(spec.nowMs / 1_000),
    },
  }
}

/** The body of global/decentralized_finance_defi: the coins of that category against all. */
export function globalDefiBody({ coins, entriesIn }: Market): Body {
  const inUsd = entriesIn(USD)
  const members = coins.filter(isOfDefi)
  const own = members.map((coin) => inUsd.get(coin.id)!)
  const cap = sumOf(own, 'market_cap')
  const ethCap = inUsd.get('ethereum')?.market_cap ?? 0
  const top = largestFirst(members, inUsd)[0]
  const topCap = top === undefined ? 0 : (inUsd.get(top.id)!.market_cap ?? 0)
  return {
    data: {
      defi_market_cap: decimalText(cap),
      eth_market_cap: decimalText(ethCap),
      defi_to_eth_ratio: decimalText(ratio(cap, ethCap) * 100),
      trading_volume_24h: decimalText(sumOf(own, 'total_volume')),
      defi_dominance: decimalText(ratio(cap, sumOf(inUsd.values(), 'market_cap')) * 100),
      top_coin_name: top?.name ?? '',
      top_coin_defi_dominance: ratio(topCap, cap) * 100,
    },
  }
}

/** A number as a long decimal text, as the source writes some numbers. */
export function decimalText(value: number): string {
  return value.toFixed(TEXT_DIGITS)
}

/** Orders coins by market cap. */
export function largestFirst(
  coins: readonly MarketCoin[],
  inUsd: ReadonlyMap<string, MarketEntry>,
): MarketCoin[] {
  const capOf = (coin: MarketCoin): number => inUsd.get(coin.id)!.market_cap ?? 0
  return coins.toSorted((a, b) => capOf(b) - capOf(a))
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
