import { HOUR_MS } from '../config/values/duration.ts'
import type { Table as ArrowTable } from 'apache-arrow'
import { tableFromColumns } from '../datasets/arrow/arrow-columns.ts'
import { MARKET_CHART } from '../datasets/market-chart.ts'
import type { Slice } from '../datasets/dataset.ts'
import { memoryStage } from '../test/sinks/duckdb-store/memory-stage.ts'
import { coinName, START_MS, type ChartPages } from './filled-store.ts'

const JITTER_MS = 600_000

/** Makes one page per coin, as if just fetched. A point always has the same values. */
export function chartPages(coins: number, fromHour: number, toHour: number): ChartPages {
  const stage = memoryStage([MARKET_CHART])
  const slices = Array.from({ length: coins }, (_, coin) => {
    const slice: Slice = {
      dataset: 'market_chart',
      entity: coinName(coin),
      vsCurrency: 'usd',
      granularity: '1h',
      fromMs: START_MS + fromHour * HOUR_MS,
      toMs: START_MS + toHour * HOUR_MS,
    }
    const rows = rowsOf(coin, fromHour, toHour)
    stage.put({ slice, fetchedAtMs: slice.toMs, made: { table: MARKET_CHART.name, rows } })
    return slice
  })
  return { slices, stage, rows: coins * (toHour - fromHour) }
}

function rowsOf(coin: number, fromHour: number, toHour: number): ArrowTable {
  const hours = Array.from({ length: toHour - fromHour }, (_, i) => fromHour + i)
  const bucketAt = hours.map((hour) => START_MS + hour * HOUR_MS)
  const ts = hours.map(
    (hour, i) => (bucketAt[i] ?? 0) + ((hour * 7_919 + coin * 104_729) % JITTER_MS),
  )
  const price = hours.map((hour) => Math.exp(coin % 10) * (1 + Math.sin(hour * 12.9898 + coin) / 2))
  const values = {
    coin_id: { constant: coinName(coin) },
    vs_currency: { constant: 'usd' },
    granularity: { constant: '1h' },
    ts,
    bucket_at: bucketAt,
    price,
    market_cap: price.map((value) => value * 19_000_000.123),
    total_volume: price.map((value) => value * 1_234.567),
    bucket_date: bucketAt,
    _absent: { constant: null },
    _extra: { constant: null },
  }
  return tableFromColumns(MARKET_CHART, values, hours.length)
}
