import type { Currency } from './currency-list.ts'
import type { Body, EntriesIn, MarketEntry } from './market-entries.ts'

/**
 * The body of simple/price and simple/token_price/{id}: every optional figure of each coin, under its key. Unknown ids
 * are left out, as at the source.
 */
export function quotesBody(
  wanted: readonly { key: string; coinId: string | undefined }[],
  currencies: readonly Currency[],
  entriesIn: EntriesIn,
): Body {
  const quoted = wanted.flatMap(({ key, coinId }): [string, Body][] => {
    const quote = coinId === undefined ? null : quoteOf(coinId, currencies, entriesIn)
    return quote === null ? [] : [[key, quote]]
  })
  return Object.fromEntries(quoted)
}

function quoteOf(
  coinId: string,
  currencies: readonly Currency[],
  entriesIn: EntriesIn,
): Body | null {
  const quote: Body = {}
  let last: MarketEntry | undefined
  for (const currency of currencies) {
    last = entriesIn(currency).get(coinId)
    if (last === undefined) return null
    quote[currency.code] = last.current_price
    quote[`${currency.code}_market_cap`] = last.market_cap
    quote[`${currency.code}_24h_vol`] = last.total_volume
    quote[`${currency.code}_24h_change`] = last.price_change_percentage_24h
  }
  if (last !== undefined) quote['last_updated_at'] = Math.floor(Date.parse(last.last_updated) / 1e3)
  return quote
}
