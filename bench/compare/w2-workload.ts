import { HOUR_MS } from '../../config/values/duration.ts'
import { chartBody, FIRST_POINT_MS, POINTS_PER_CALL } from '../service/chart-bodies.ts'
import type { Workload, WorkloadRow } from './workload.ts'

const COINS = 200

/** End of coinlake's range, epoch ms. The answer's last point lies there, so coinlake stores one row per coin less. */
export const END_MS = FIRST_POINT_MS + (POINTS_PER_CALL - 1) * HOUR_MS

/** 200 market_chart/range calls: 432,200 hourly points. */
export const W2: Workload = {
  name: 'w2',
  title: `W2: ${COINS} calls of ${POINTS_PER_CALL} hourly points into DuckDB`,
  few: 20,
  all: COINS,
  goals: { serverStarted: 1.6, serverUp: 1.4, workerUp: 1.1, steady: 0.9 },
  steadyRows: 100_000,
  baseUrl: (serviceUrl) => serviceUrl,
  datasets(coins) {
    const ids = Array.from({ length: coins }, (_, number) => `coin-${number}`)
    return `market_chart:
    granularity: hourly
    from: ${dayOf(FIRST_POINT_MS)}
    to: ${dayOf(END_MS)}
    coins: [${ids.join(', ')}]`
  },
  callBefore: ['--coins', `coin-${COINS}`],
  table: 'market_chart',
  columns: [
    { name: 'coin_id', kind: 'text' },
    { name: 'ts', kind: 'time' },
    { name: 'price', kind: 'double' },
    { name: 'market_cap', kind: 'double' },
    { name: 'total_volume', kind: 'double' },
  ],
  keyLength: 2,
  *rows(coins): Iterable<WorkloadRow> {
    for (let coin = 0; coin < coins; coin += 1) {
      const body = JSON.parse(chartBody(coin).toString()) as Record<string, [number, number][]>
      for (const [place, [ts, price]] of body['prices']!.entries()) {
        const [cap, volume] = [body['market_caps']![place]![1], body['total_volumes']![place]![1]]
        yield [`coin-${coin}`, ts, price, cap, volume]
      }
    }
  },
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
