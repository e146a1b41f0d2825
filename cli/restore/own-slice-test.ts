import type { Slice } from '../../datasets/dataset.ts'
import { type Series, seriesKey } from '../../plan/covered.ts'
import type { Session } from '../../sinks/duckdb-store/session.ts'

/**
 * Makes a test whether a slice is of this warehouse, for a shared stage, whose pages name no warehouse. With an empty
 * ledger every slice is.
 */
export async function ownSliceTest(rows: Session['rows']): Promise<(slice: Slice) => boolean> {
  const planned = await rows<Series>(
    'SELECT DISTINCT dataset, entity, vs_currency AS vsCurrency, granularity FROM _slices',
  )
  const own = new Set(planned.map(seriesKey))
  return (slice) => own.size === 0 || own.has(seriesKey(slice))
}
