import { DAY_MS } from '../../config/values/duration.ts'

/** The source has candles of four hours for 30 days. */
const CANDLE_DAYS = 29

/** The demo's coinlake.yaml: everything the core datasets offer, small enough for a minute. */
export function demoConfig(baseUrl: string, fromMs: number, toMs: number): string {
  const [from, to, candlesFrom] = [fromMs, toMs, toMs - CANDLE_DAYS * DAY_MS].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  )
  return `# Written by \`npm run demo\`; the service at base_url lives only while the demo runs, and the
# clock of its market stands still: histories end there.
source: { profile: interface, base_url: "${baseUrl}" }
warehouse: ./warehouse
sinks: [duckdb, parquet]
datasets:
  coins: { every: 1d }
  coin_markets: { vs_currencies: [usd, eur], every: 1d }
  market_chart: { coins: "top:30", vs_currencies: [usd], granularity: daily, from: ${from}, to: ${to} }
  ohlc: { coins: [bitcoin, ethereum], vs_currencies: [usd], granularity: 4h, from: ${candlesFrom}, to: ${to} }
  exchanges: { every: 1d }
  exchange_tickers: { exchanges: [binance, gdax, kraken, bitstamp, bitfinex], every: 1d }
  exchange_rates: { every: 1d }
`
}
