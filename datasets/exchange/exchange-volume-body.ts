import { SourceDataError } from '../../api/errors.ts'
import { floorTo, GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import { measureGranularity } from '../../api/measure-granularity.ts'
import { VOLUME_STEPS } from '../../api/step-rules.ts'
import { tableFromColumns } from '../arrow/arrow-columns.ts'
import { isEpochMs, refuseSeconds } from '../chart/chart-points.ts'
import { lostStart } from '../request/trailing-days.ts'
import type { PageContext, PageTables, RejectedRow, TableSpec } from '../dataset.ts'
import { jsonText } from '../record/json-text.ts'
import { reject } from '../record/rejected-rows.ts'
import { nearestNumber } from '../record/number-text.ts'
import { numberText, type RecordField } from '../record/record-field.ts'
import { readValue } from '../record/record-value.ts'

/** The second member of a point. */
export const VOLUME: RecordField = numberText(
  '1',
  'BTC',
  'Volume traded in the 24 hours before ts: a rolling figure. Never sum it over points closer than a day.',
  { name: 'volume_24h_btc' },
)

interface Point {
  ms: number
  /** The decimal; null: the source sent null. */
  text: string | null
  /** The value, if the source sent a number instead of a text; else null. */
  asNumber: number | null
}

/** A body of `[ms, decimal text]` points as one table, cut to the slice. @throws SourceDataError: no array, or times in seconds */
export function volumeTables(spec: TableSpec, body: unknown, context: PageContext): PageTables {
  if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
  const { slice } = context
  const granularity = slice.granularity as Granularity
  const rejected: RejectedRow[] = []
  const byTime = new Map<number, Point>()
  body.forEach((source: unknown, index) => {
    const point = readPoint(source)
    if ('ms' in point) byTime.set(point.ms, point)
    else reject(rejected, point.rule, `$[${index}]${point.at}`, source)
  })
  refuseSeconds([...byTime.keys()], context)
  const kept = [...byTime.values()]
    .filter(({ ms }) => ms >= slice.fromMs && ms < slice.toMs)
    .toSorted((a, b) => a.ms - b.ms)
  const ts = Float64Array.from(kept, ({ ms }) => ms)
  const buckets = { numbers: ts.map((ms) => floorTo(ms, granularity)) }
  const number = VOLUME.number!
  const rows = tableFromColumns(
    spec,
    {
      exchange_id: { constant: slice.entity },
      granularity: { constant: granularity },
      ts: { numbers: ts },
      bucket_at: buckets,
      [number.column.name]: kept.map(({ text }) => text && nearestNumber(number, text)),
      [VOLUME.column.name]: kept.map(({ text }) => text),
      bucket_date: buckets,
      _extra: kept.map(({ asNumber }) =>
        asNumber === null ? null : jsonText({ value: asNumber }),
      ),
    },
    kept.length,
  )
  return {
    tables: [{ table: spec.name, rows }],
    counts: {
      outsideSlice: byTime.size - kept.length,
      duplicate: body.length - rejected.length - byTime.size,
      future: 0,
    },
    rejected,
    unknownPaths: {},
    itemCount: body.length,
    deliveredGranularity: volumeGranularity([...byTime.keys()]),
    gaps: lostStart(VOLUME_STEPS, context),
  }
}

/** The granularity of volumes; null: unknown. A distance between two steps is that of a series with missing points. */
function volumeGranularity(timesMs: readonly number[]): Granularity | null {
  const measured = measureGranularity(timesMs)
  if (measured === null) return null
  const finer = VOLUME_STEPS.findLast(
    ({ step }) => GRANULARITY_MS[step] <= GRANULARITY_MS[measured],
  )
  return finer?.step ?? measured
}

function readPoint(source: unknown): Point | { rule: string; at: string } {
  if (!Array.isArray(source) || source.length !== 2) return { rule: 'not_a_point', at: '' }
  const [ms, value] = source as [unknown, unknown]
  if (!isEpochMs(ms)) return { rule: 'not_a_timestamp', at: '[0]' }
  if (value === null) return { ms, text: null, asNumber: null }
  const read = readValue(VOLUME, value)
  if ('rule' in read) return { rule: read.rule, at: '[1]' }
  return { ms, text: read.value as string, asNumber: typeof value === 'number' ? value : null }
}
