import { SourceDataError } from '../../api/errors.ts'
import { GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import { measureGranularity } from '../../api/measure-granularity.ts'
import { CANDLE_STEPS } from '../../api/step-rules.ts'
import { tableFromColumns } from '../arrow/arrow-columns.ts'
import { brokenRule, refuseSeconds } from '../chart/chart-points.ts'
import type { PageContext, PageTables, RejectedRow, TableSpec } from '../dataset.ts'
import { lostStart } from '../request/trailing-days.ts'
import { reject } from '../record/rejected-rows.ts'

/** [close time in ms, open, high, low, close] */
type Candle = readonly [number, ...(number | null)[]]

/** In the order of the source. */
export const PRICES = ['open', 'high', 'low', 'close'] as const

/**
 * A body of candles as one table, with the candles that start in the slice. Candles that close after now are counted as
 * `future`.
 *
 * @throws SourceDataError: no array, or times in seconds
 */
export function ohlcTables(spec: TableSpec, body: unknown, context: PageContext): PageTables {
  if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
  const { slice, nowMs } = context
  const stepMs = GRANULARITY_MS[slice.granularity as Granularity]
  const rejected: RejectedRow[] = []
  const byClose = new Map<number, Candle>()
  body.forEach((candle: unknown, index) => {
    const broken = brokenRule(candle, PRICES.length + 1, 'not_a_candle')
    if (broken === null) byClose.set((candle as Candle)[0], candle as Candle)
    else reject(rejected, broken.rule, `$[${index}]${broken.at}`, candle)
  })
  refuseSeconds([...byClose.keys()], context)
  const closed = [...byClose.values()].filter(([closeMs]) => closeMs <= nowMs)
  const kept = closed
    .filter(([closeMs]) => closeMs - stepMs >= slice.fromMs && closeMs - stepMs < slice.toMs)
    .toSorted((a, b) => a[0] - b[0])
  const closeAt = Float64Array.from(kept, ([closeMs]) => closeMs)
  const ts = closeAt.map((closeMs) => closeMs - stepMs)
  const prices = PRICES.map((name, index) => [name, kept.map((candle) => candle[index + 1]!)])
  const rows = tableFromColumns(
    spec,
    {
      coin_id: { constant: slice.entity },
      vs_currency: { constant: slice.vsCurrency },
      granularity: { constant: slice.granularity },
      ts: { numbers: ts },
      close_at: { numbers: closeAt },
      ...(Object.fromEntries(prices) as Record<(typeof PRICES)[number], (number | null)[]>),
      ts_date: { numbers: ts },
    },
    kept.length,
  )
  return {
    tables: [{ table: spec.name, rows }],
    counts: {
      outsideSlice: closed.length - kept.length,
      duplicate: body.length - rejected.length - byClose.size,
      future: byClose.size - closed.length,
    },
    rejected,
    unknownPaths: {},
    itemCount: body.length,
    deliveredGranularity: candleGranularity([...byClose.keys()]),
    gaps: lostStart(CANDLE_STEPS, context),
  }
}

/**
 * The granularity of candles; null: unknown. Candles of a coin that hardly trades lie some steps apart, each time other
 * ones. Candles that mostly are an even time apart are coarser ones, whose lows and highs must not count for a shorter time.
 */
function candleGranularity(closes: readonly number[]): Granularity | null {
  const measured = measureGranularity(closes)
  if (measured === null) return null
  const sorted = closes.toSorted((a, b) => a - b)
  const spacings = sorted.slice(1).map((ms, index) => ms - sorted[index]!)
  const isOnGrid = (step: Granularity): boolean =>
    spacings.filter((ms) => ms % GRANULARITY_MS[step] === 0).length * 2 > spacings.length
  return isOnGrid(measured)
    ? measured
    : (CANDLE_STEPS.findLast(({ step }) => isOnGrid(step))?.step ?? measured)
}
