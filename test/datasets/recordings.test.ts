import { describe, expect, test } from 'vitest'
import type { OperationId, ParamValues } from '../../api/operation.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)

interface Recorded {
  /** Prefix of the file names, and how many there are. */
  files: string
  count: number
  dataset: string
  stepIndex?: number
  slice?: Partial<Slice>
  operation: OperationId
  params?: ParamValues
  /** Of a body that is asked for by its distance to now. */
  nowMs?: (body: never) => number
}

/** Every recorded response of the operations that datasets are made of. */
const RECORDED: Recorded[] = [
  {
    files: 'coins-list--',
    count: 3,
    dataset: 'coins',
    operation: 'coins/list',
    params: { include_platform: 'true' },
  },
  {
    files: 'coins-markets',
    count: 5,
    dataset: 'coin_markets',
    slice: { vsCurrency: 'usd' },
    operation: 'coins/markets',
    params: {
      vs_currency: 'usd',
      sparkline: 'true',
      price_change_percentage: '1h,24h,7d,14d,30d,200d,1y',
    },
  },
  {
    files: 'coins-id-market_chart',
    count: 6,
    dataset: 'market_chart',
    slice: { entity: 'x y', vsCurrency: 'usd', granularity: '5m' },
    operation: 'coins/{id}/market_chart',
    params: { id: 'x y', vs_currency: 'usd', days: 'max', interval: '5m' },
  },
  {
    files: 'coins-id-ohlc',
    count: 3,
    dataset: 'ohlc',
    slice: { entity: 'x y', vsCurrency: 'usd', granularity: '4h' },
    operation: 'coins/{id}/ohlc',
    params: { id: 'x y', vs_currency: 'usd', days: '30' },
    nowMs: (body: number[][]) => body.at(-1)![0]!,
  },
  { files: 'exchanges-list--', count: 3, dataset: 'exchanges', operation: 'exchanges/list' },
  { files: 'exchanges--', count: 2, dataset: 'exchanges', stepIndex: 1, operation: 'exchanges' },
  {
    files: 'exchanges-page1--',
    count: 1,
    dataset: 'exchanges',
    stepIndex: 1,
    operation: 'exchanges',
  },
  {
    files: 'exchanges-id-tickers',
    count: 4,
    dataset: 'exchange_tickers',
    slice: { entity: 'binance' },
    operation: 'exchanges/{id}/tickers',
    params: { id: 'binance', depth: 'true', include_exchange_logo: 'true' },
  },
  { files: 'exchange_rates--', count: 2, dataset: 'exchange_rates', operation: 'exchange_rates' },
]

describe.each(RECORDED)('$operation', (recorded) => {
  const files = samples(recorded.files)
  test.skipIf(files.length === 0)('has all its recordings', () => {
    expect(files.map(([name]) => name)).toHaveLength(recorded.count)
  })

  test.each(files)('%s comes back as it was, and nothing of it is unknown', (_, body) => {
    const dataset = datasetByName(recorded.dataset)!
    const warehouse = new Warehouse()
    const nowMs = recorded.nowMs?.(body as never) ?? NOW
    const context = pageOf(dataset, recorded.slice, { stepIndex: recorded.stepIndex ?? 0, nowMs })
    const page = warehouse.load(dataset, body, context)
    expect(page.rejected).toEqual([])
    expect(page.unknownPaths).toEqual({})
    expect(page.counts).toEqual({ outsideSlice: 0, duplicate: 0, future: 0 })
    expect(warehouse.answer(recorded.operation, recorded.params ?? {}, nowMs)).toEqual(body)
    for (const { table, rows } of page.tables) {
      const spec = dataset.tables.find(({ name }) => name === table)!
      expect(rows.schema.names).toEqual(spec.columns.map(({ name }) => name))
    }
  })
})
