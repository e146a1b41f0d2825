import { CURRENCIES, currencyOf } from './currency-list.ts'
import type { Currency } from './currency-list.ts'
import type { MarketSpec } from './market-spec.ts'
import type { Prices } from './prices.ts'
import { knotAt } from './time-grid.ts'

/** The source rounds rates to three decimals. */
const RATE_SCALE = 1e3

/** One rate of the source: units of the currency for one BTC. */
export interface Rate {
  name: string
  unit: string
  value: number
  type: Currency['type']
}

/** The body of exchange_rates, coins first. The prices are those of the charts. */
export function exchangeRatesBody(
  spec: MarketSpec,
  prices: Prices,
): { rates: Record<string, Rate> } {
  const knot = knotAt(spec.nowMs)
  const btc = currencyOf('btc')
  const usdPerBtc = 1 / prices.perUsd(btc, knot)
  const rates: Record<string, Rate> = {}
  for (const currency of ratedCurrencies(spec.rateCurrencies)) {
    const { code, name, unit, type } = currency
    const exact =
      currency.coin?.id === 'bitcoin'
        ? currency.coin.units
        : prices.perUsd(currency, knot) * usdPerBtc
    rates[code] = { name, unit, value: Math.round(exact * RATE_SCALE) / RATE_SCALE, type }
  }
  return { rates }
}

/** So many currencies, in the order of CURRENCIES. The choice begins with btc, eth, usd and eur. */
function ratedCurrencies(count: number): Currency[] {
  const first = new Set(['btc', 'eth', 'usd', 'eur'])
  const chosen = [
    ...CURRENCIES.filter((currency) => first.has(currency.code)),
    ...CURRENCIES.filter((currency) => !first.has(currency.code)),
  ].slice(0, count)
  return CURRENCIES.filter((currency) => chosen.includes(currency))
}
