import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import type { Exported } from '../parts/proof-warehouse.ts'
import { APRIL_MS, openMarketWarehouse } from '../parts/market-warehouse.ts'
import type { PlannedExport } from '../../cli/run/plan-export.ts'

/** Listings of one page, of two, and with 100 coins one that ends with a full-looking page. */
const CHANGES = { coins: 100, dailyDays: 120, hourlyDays: 120, tickersPerExchange: 130 }
const LISTINGS = [
  'coins: {}',
  'coin_markets: { vs_currencies: [usd] }',
  'exchanges: {}',
  'exchange_rates: {}',
]

/** Calls of the service's own log, by dataset. */
function callsByDataset({ requests }: Exported): Record<string, number> {
  const calls: Record<string, number> = {}
  for (const { operation } of requests) {
    const dataset = DATASETS[operation ?? ''] ?? 'unknown'
    calls[dataset] = (calls[dataset] ?? 0) + 1
  }
  return calls
}

const DATASETS: Record<string, string> = {
  'coins/list': 'coins',
  'coins/markets': 'coin_markets',
  'coins/{id}/market_chart/range': 'market_chart',
  'coins/{id}/market_chart': 'market_chart',
  'coins/{id}/ohlc': 'ohlc',
  exchanges: 'exchanges',
  'exchanges/list': 'exchanges',
  'exchanges/{id}/tickers': 'exchange_tickers',
  exchange_rates: 'exchange_rates',
}

function plannedByDataset({ price }: PlannedExport): Record<string, number> {
  return Object.fromEntries(price.perDataset.map(({ dataset, calls }) => [dataset, calls.max]))
}

test('coinlake plan and the log of the service agree on the calls', async () => {
  const { clock, market, served, warehouse } = await openMarketWarehouse(CHANGES)
  const tickers = `exchange_tickers: { exchanges: ${JSON.stringify(market.exchangeIds)} }`
  const order = (granularity: string, candles: string, from: string): string[] => [
    ...LISTINGS,
    tickers,
    `market_chart: { coins: "top:7", granularity: ${granularity}, from: ${from} }`,
    `ohlc: { coins: [bitcoin, ethereum], granularity: ${candles}, from: ${from} }`,
  ]

  // Nothing is known: no coin is chosen, no listing was ever read.
  const hourly = order('hourly', '4h', '2023-12-20')
  const before = await warehouse.plan(hourly)
  expect(served.log).toEqual([])
  expect(before.price.calls.exact).toBe(false)
  const first = await warehouse.export(hourly)
  expect(first.report.verdict).toBe('complete')
  expect(first.report.calls).toBe(first.requests.length)
  expect(first.requests.length).toBeGreaterThanOrEqual(before.price.calls.min)
  expect(first.requests.length).toBeLessThanOrEqual(before.price.calls.max)
  for (const { dataset, calls } of before.price.perDataset) {
    // The choice of top:7 is a call of coins/markets that belongs to no dataset.
    const made = callsByDataset(first)[dataset]! - (dataset === 'coin_markets' ? 1 : 0)
    expect(made, dataset).toBeGreaterThanOrEqual(calls.min)
    expect(made, dataset).toBeLessThanOrEqual(calls.max)
  }

  // Everything is known now: each plan is exact, by dataset, whatever it asks for.
  const tomorrowMs = APRIL_MS + DAY_MS
  const orders = [
    { what: 'the same again', nowMs: APRIL_MS, lines: hourly, calls: 0 },
    { what: 'daily and other candles', nowMs: APRIL_MS, lines: order('daily', '4d', '2023-12-20') },
    { what: 'further back', nowMs: APRIL_MS, lines: order('hourly', '30m', '2023-12-12') },
    { what: 'the next day', nowMs: tomorrowMs, lines: hourly },
    { what: 'the next day again', nowMs: tomorrowMs, lines: hourly, calls: 0 },
  ]
  for (const { what, nowMs, lines, calls } of orders) {
    clock.set(nowMs)
    const planned = await warehouse.plan(lines)
    expect(planned.price.calls.exact, what).toBe(true)
    const made = await warehouse.export(lines)
    expect(made.report.verdict, what).toBe('complete')
    expect(callsByDataset(made), what).toEqual(plannedByDataset(planned))
    expect(made.requests.length, what).toBe(planned.price.calls.max)
    if (calls === undefined) expect(made.requests.length, what).toBeGreaterThan(0)
    else expect(made.requests.length, what).toBe(calls)
  }
})
