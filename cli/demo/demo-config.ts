/** The demo's coinlake.yaml: everything the core datasets offer, small enough for a minute. */
export function demoConfig(baseUrl: string, fromMs: number): string {
  const from = new Date(fromMs).toISOString().slice(0, 10)
  return `# Written by \`npm run demo\`; the service at base_url lives only while the demo runs.
source: { profile: interface, base_url: "${baseUrl}" }
warehouse: ./warehouse
sinks: [duckdb, parquet]
datasets:
  coins: { every: 1d }
  coin_markets: { vs_currencies: [usd, eur], every: 1d }
  market_chart: { coins: "top:30", vs_currencies: [usd], granularity: daily, from: ${from} }
  ohlc: { coins: [bitcoin, ethereum], vs_currencies: [usd], granularity: 4h, from: ${from} }
  exchanges: { every: 1d }
  exchange_tickers: { exchanges: [binance, gdax, kraken, bitstamp, bitfinex], every: 1d }
  exchange_rates: { every: 1d }
`
}
