import { DAY_MS } from '../../../config/values/duration.ts'
import { GRANULARITY_MS } from '../../../api/granularity.ts'
import { movableClock, openWarehouse, type Warehouse } from '../../parts/proof-warehouse.ts'
import { holdMarket } from '../../parts/held-market.ts'
import { APRIL_MARKET, APRIL_MS } from '../../parts/market-warehouse.ts'
import { serveFaulty } from '../../parts/faulty-service.ts'

const SPEC = { ...APRIL_MARKET, coins: 12, dailyDays: 400, hourlyDays: 40 }

/** A market of twelve coins, and a warehouse that exports it, with other faults each time. */
async function openLake() {
  const clock = movableClock(APRIL_MS)
  const market = await holdMarket(SPEC, clock)
  const served = { url: '', log: [] }
  const warehouse = openWarehouse(served, clock)
  return {
    clock,
    warehouse,
    coins: market.coinIds,
    async export(lines: readonly string[], faults: string) {
      served.url = (await serveFaulty(market.source, faults)).url
      return (await warehouse.export(lines)).report
    },
  }
}

/** The source refuses the key after nine calls, which are all of one dataset: each chart has its rows. */
export async function revokedKey(): Promise<Warehouse> {
  const lake = await openLake()
  const first = [
    `ohlc: { coins: [bitcoin, ethereum], granularity: 4h, from: 2024-04-01 }`,
    'exchange_rates: {}',
  ]
  await lake.export(first, '')
  const charts = `market_chart: { coins: ${JSON.stringify(lake.coins)}, granularity: daily, from: 2024-01-01 }`
  await lake.export([charts, ...first], '- { fault: key_revoked, after: 9 }')
  return lake.warehouse
}

/** More history was asked for, of which the source has lost three coins. */
export async function holesAndFailures(): Promise<Warehouse> {
  const lake = await openLake()
  const lines = (from: string): string[] => [
    `market_chart: { coins: ${JSON.stringify(lake.coins)}, granularity: daily, from: ${from} }`,
    `ohlc: { coins: ${JSON.stringify(lake.coins.slice(0, 4))}, granularity: 4h, from: 2024-03-20 }`,
    'coin_markets: {}',
    'exchange_rates: {}',
  ]
  await lake.export(lines('2024-02-10'), '')
  const lost = JSON.stringify(lake.coins.slice(3, 6))
  await lake.export(
    lines('2023-09-01'),
    `- { fault: vanished_id, entities: ${lost} }\n- { fault: rate_status, rate: 0.3, times: 1, wait_ms: 50 }`,
  )
  return lake.warehouse
}

/** Some points were no numbers, and nobody has exported for more than a day. */
export async function staleAndQuarantined(): Promise<Warehouse> {
  const lake = await openLake()
  const lines = [
    `market_chart: { coins: ${JSON.stringify(lake.coins.slice(0, 5))}, granularity: hourly, from: 2024-03-20 }`,
    `ohlc: { coins: [bitcoin], granularity: 4h, from: 2024-03-15 }`,
    'exchange_rates: {}',
  ]
  const nulls = `- { fault: nulls, where: key, share: 0.01, operations: ["coins/{id}/market_chart/range"], entities: [ethereum] }`
  await lake.export(lines, nulls)
  lake.clock.set(APRIL_MS + DAY_MS + 2 * GRANULARITY_MS['1h'])
  return lake.warehouse
}
