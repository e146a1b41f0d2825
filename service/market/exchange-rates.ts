import { BTC, CURRENCIES, type Currency } from './currency-list.ts'
import type { Body, Market } from './market-entries.ts'
import { knotAt } from './time-grid.ts'

/** The source rounds rates to three decimals. */
const RATE_SCALE = 1e3

/** The body of exchange_rates, in units for one BTC, coins first. The prices are those of the charts. */
export function exchangeRatesBody({ spec, prices }: Market): Body {
  const knot = knotAt(spec.nowMs)
  const usdPerBtc = 1 / prices.perUsd(BTC, knot)
  const rates: Body = {}
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

/** `count` currencies, in the order of CURRENCIES. The choice begins with btc, eth, usd and eur. */
function ratedCurrencies(count: number): Currency[] {
  const first = new Set(['btc', 'eth', 'usd', 'eur'])
  const isLater = ({ code }: Currency): number => (first.has(code) ? 0 : 1)
  const chosen = CURRENCIES.toSorted((a, b) => isLater(a) - isLater(b)).slice(0, count)
  return CURRENCIES.filter((currency) => chosen.includes(currency))
}
