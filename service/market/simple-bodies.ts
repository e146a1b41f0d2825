import type { Currency } from './currency-list.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Body, Market } from './market-entries.ts'

/**
 * The body of simple/price and simple/token_price/{id}: every optional figure of each coin, under its key. Unknown ids
 * are left out, as at the source.
 */
export function quotesBody(
  { entriesIn }: Market,
  wanted: readonly { key: string; coin: MarketCoin | undefined }[],
  currencies: readonly Currency[],
): Body {
  const quoted = wanted.flatMap(({ key, coin }): [string, Body][] => {
    if (coin === undefined) return []
    const quote: Body = {}
    for (const currency of currencies) {
      const { code } = currency
      const entry = entriesIn(currency).get(coin.id)!
      quote[code] = entry.current_price
      quote[`${code}_market_cap`] = entry.market_cap
      quote[`${code}_24h_vol`] = entry.total_volume
      quote[`${code}_24h_change`] = entry.price_change_percentage_24h
    }
    const last = currencies.at(-1)
    if (last !== undefined) {
      const { last_updated: at } = entriesIn(last).get(coin.id)!
      quote['last_updated_at'] = Math.floor(Date.parse(at) / 1e3)
    }
    return [[key, quote]]
  })
  return Object.fromEntries(quoted)
}
