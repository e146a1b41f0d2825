import type { Slice } from '../../datasets/dataset.ts'
import { type Series, seriesKey } from '../../plan/covered.ts'
import type { Session } from '../../sinks/duckdb-store/session.ts'

/** Finds a warehouse's answers in a shared stage, whose pages name no warehouse. Without a ledger all slices count. */
export async function ownSeries(rows: Session['rows']): Promise<(slice: Slice) => boolean> {
  const planned = await rows<Series>(
    'SELECT DISTINCT dataset, entity, vs_currency AS vsCurrency, granularity FROM _slices',
  )
  const own = new Set(planned.map(seriesKey))
  return (slice) => own.size === 0 || own.has(seriesKey(slice))
}
