import type { Clock } from '../../config/clock.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { openWarehouse as openPublished } from '../../service/open-warehouse.ts'
import { createWarehouseSource } from '../../service/warehouse-source.ts'
import { serve } from './harness.ts'
import type { PlacedBody } from './recorded-run.ts'

export interface ServedAgain {
  /** The body that the published warehouse answers for a recording. */
  get(body: PlacedBody): Promise<unknown>
}

/** Serves the published DuckDB file of a warehouse over a socket. */
export async function servedAgain(paths: WarehousePaths, clock: Clock): Promise<ServedAgain> {
  const instance = await openPublished(paths.duckdbLink)
  const source = await createWarehouseSource({
    connect: () => instance.connect(),
    datasets,
    clock,
    close: () => instance.closeSync(),
  })
  const { url } = await serve(source)
  return {
    get: async (body) => {
      const response = await fetch(`${url}/v2/${pathOf(body, clock.nowMs())}`)
      return response.json()
    },
  }
}

const INTERVALS = { '5m': '5m', '1h': 'hourly', '1d': 'daily' } as const
const CANDLE_DAYS = { '30m': 1, '4h': 30, '4d': 365 } as const

function pathOf(body: PlacedBody, nowMs: number): string {
  const { operation, granularity, vsCurrency } = body
  const path = operation.replace('{id}', encodeURIComponent(body.entity))
  if (operation.includes('market_chart')) {
    const interval = INTERVALS[granularity as keyof typeof INTERVALS]
    const query = `vs_currency=${vsCurrency}&interval=${interval}`
    if (!operation.endsWith('range')) return `${path}?${query}&days=max`
    return `${path}?${query}&from=0&to=${Math.ceil(nowMs / 1000)}`
  }
  switch (operation) {
    case 'coins/{id}/ohlc':
      return `${path}?vs_currency=${vsCurrency}&days=${CANDLE_DAYS[granularity as keyof typeof CANDLE_DAYS]}`
    case 'coins/list':
      return `${path}?include_platform=true`
    case 'coins/markets':
      return `${path}?vs_currency=${vsCurrency}&per_page=250`
    case 'exchanges/{id}/tickers':
      return `${path}?depth=true&include_exchange_logo=true`
    case 'exchanges':
      return `${path}?per_page=250`
    default:
      return path
  }
}

/**
 * A recorded body without what its dataset lists as left out: the order of candles, and of two of the
 * three arrays of a chart where they contradict the first.
 */
export function canonicalBody({ operation }: PlacedBody, body: unknown): unknown {
  if (operation === 'coins/{id}/ohlc') {
    return (body as [number][]).toSorted(([a], [b]) => a - b)
  }
  if (!operation.includes('market_chart')) return body
  const { prices, market_caps, total_volumes } = body as Record<string, [number, number | null][]>
  const place = new Map(prices!.map(([ms], index) => [ms, index]))
  const byPrice = (points: [number, number | null][] | undefined) =>
    points!.toSorted(([a], [b]) => (place.get(a) ?? a) - (place.get(b) ?? b))
  return { prices, market_caps: byPrice(market_caps), total_volumes: byPrice(total_volumes) }
}
