import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import type { Body, EntriesIn, MarketEntry } from './market-entries.ts'

/**
 * The body of simple/price for the requested coins, with every optional figure. Unknown ids are left
 * out, as at the source.
 */
export function simplePriceBody(
  coinIds: readonly string[],
  currencies: readonly Currency[],
  entriesIn: EntriesIn,
): Body {
  const quoted = coinIds.flatMap((id): [string, Body][] => {
    const quote = quoteOf(id, currencies, entriesIn)
    return quote === null ? [] : [[id, quote]]
  })
  return Object.fromEntries(quoted)
}

/** The body of simple/token_price/{id}: like simple/price, by contract address in lower case. */
export function tokenPriceBody(
  addresses: readonly string[],
  coinOf: (address: string) => MarketCoin | undefined,
  currencies: readonly Currency[],
  entriesIn: EntriesIn,
): Body {
  const quoted = addresses.flatMap((asked): [string, Body][] => {
    const address = asked.toLowerCase()
    const coin = coinOf(address)
    const quote = coin === undefined ? null : quoteOf(coin.id, currencies, entriesIn)
    return quote === null ? [] : [[address, quote]]
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
