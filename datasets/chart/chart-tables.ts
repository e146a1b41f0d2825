import { SECOND_MS } from '../../config/values/duration.ts'
import type { Table } from 'apache-arrow'
import { SourceDataError } from '../../api/errors.ts'
import { floorTo, type Granularity } from '../../api/granularity.ts'
import { tableFromColumns } from '../arrow/arrow-columns.ts'
import { chartGaps } from './chart-gaps.ts'
import { chartGranularityOf } from './chart-granularity.ts'
import { readPoints, refuseSeconds, type Points } from './chart-points.ts'
import type { ChartSubject } from './chart-subject.ts'
import type { ColumnData, ColumnsByName, Scalar } from '../arrow/column-data.ts'
import type { PageContext, PageTables, RejectedRow, TableSpec } from '../dataset.ts'
import { joinPoints, type JoinedPoints } from './join-points.ts'
import { reject } from '../record/rejected-rows.ts'
import { Validity } from '../arrow/validity.ts'

export const CHART_SERIES = [
  { key: 'prices', column: 'price' },
  { key: 'market_caps', column: 'market_cap' },
  { key: 'total_volumes', column: 'total_volume' },
] as const

/** The mark in `_absent` for an array that was not sent whole: not at all, or with refused points. */
export function notSentMark(key: string): string {
  return `${key}[]`
}

/** The columns whose array an answer may not send whole, with the mark in `_absent`. */
export const CHART_UNSENT: Readonly<Record<string, string>> = Object.fromEntries(
  CHART_SERIES.map(({ key, column }) => [column, notSentMark(key)]),
)

/**
 * A chart body as one table: three arrays joined by timestamp, cut to the slice. `duplicate` and `outsideSlice` count
 * timestamps. A missing array leaves its column NULL and is rejected, as is another value in its place.
 *
 * @throws SourceDataError: no array; one is missing and the others have no point; several points, all after the
 *   requested range. Then the source has ignored `from` and `to`, and the slice would pass for empty. A single such
 *   point passes, because sources often send one point beyond the range. Also: times in seconds.
 */
export function chartTables(
  subject: ChartSubject,
  spec: TableSpec,
  body: unknown,
  context: PageContext,
): PageTables {
  const rejected: RejectedRow[] = []
  const arrays = CHART_SERIES.map(({ key }) => arrayOf(body, key))
  const series = CHART_SERIES.map(({ key }, k) => readPoints(arrays[k] ?? [], `$.${key}`, rejected))
  const joined = joinPoints(series)
  const lacking = arrays.flatMap((array, k) => (array === null ? [CHART_SERIES[k]!.key] : []))
  if (lacking.length > 0 && joined.times.length === 0) {
    throw new SourceDataError(`$.${lacking[0]} is no array`)
  }
  for (const key of lacking) {
    const value = (body as Record<string, unknown>)[key]
    reject(rejected, value === undefined ? 'array_missing' : 'not_an_array', `$.${key}`, value)
  }
  const toMs = Number(context.step.params['to'] ?? Infinity) * SECOND_MS
  if (context.isKept !== true && joined.times.length > 1 && joined.times.every((ms) => ms > toMs)) {
    const [to, first] = [toMs, joined.times[0]!].map((ms) => new Date(ms).toISOString())
    throw new SourceDataError(
      `${joined.times.length} points, from ${first} on, all after the requested end ${to}`,
    )
  }
  refuseSeconds(joined.times, context)
  const unsent = CHART_SERIES.flatMap(({ key }, k) =>
    series[k]!.count === arrays[k]?.length ? [] : [key],
  )
  const known: readonly string[] = CHART_SERIES.map(({ key }) => key)
  const unknown = Object.keys(body as object).filter((key) => !known.includes(key))
  const inside = rowsInside(joined.times, context.slice)
  const asked = subject.paramsOfEntity(context.slice.entity)
  const ids = Object.entries(subject.columnsOfParams(asked))
  const subjectColumns = Object.fromEntries(ids.map(([column, constant]) => [column, { constant }]))
  return {
    tables: [
      {
        table: spec.name,
        rows: chartTable(spec, subjectColumns, { series, unsent, joined }, inside, context),
      },
    ],
    counts: {
      outsideSlice: joined.times.length - inside.length,
      duplicate: joined.duplicates,
      future: 0,
    },
    rejected,
    unknownPaths: Object.fromEntries(unknown.map((key) => [`$.${key}`, 1])),
    itemCount: joined.times.length,
    deliveredGranularity: chartGranularityOf(joined.times, context.slice.granularity),
    gaps: chartGaps(joined.times, context),
  }
}

function arrayOf(body: unknown, key: string): readonly unknown[] | null {
  const value = (body as Record<string, unknown> | null | undefined)?.[key]
  return Array.isArray(value) ? value : null
}

interface Chart {
  series: readonly Points[]
  unsent: readonly string[]
  joined: JoinedPoints
}

function rowsInside(times: Float64Array, slice: { fromMs: number; toMs: number }): Int32Array {
  const rows = new Int32Array(times.length)
  let count = 0
  for (let row = 0; row < times.length; row++) {
    if (times[row]! >= slice.fromMs && times[row]! < slice.toMs) rows[count++] = row
  }
  return rows.subarray(0, count)
}

function chartTable(
  spec: TableSpec,
  subjectColumns: ColumnsByName,
  { series, unsent, joined }: Chart,
  inside: Int32Array,
  context: PageContext,
): Table {
  const granularity = context.slice.granularity as Granularity
  const listedAfter = outOfOrder(joined.times, inside)
  const rows =
    listedAfter === null ? inside : inside.toSorted((a, b) => joined.times[a]! - joined.times[b]!)
  const ts = new Float64Array(rows.length)
  const bucket = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    ts[i] = joined.times[rows[i]!]!
    bucket[i] = floorTo(ts[i]!, granularity)
  }
  const values: Record<string, ColumnData> = {}
  const absent = new Uint8Array(rows.length)
  CHART_SERIES.forEach(({ column }, index) => {
    values[column] = pick(series[index]!, joined.pointIndexes[index]!, rows, absent, 1 << index)
  })
  return tableFromColumns(
    spec,
    {
      ...subjectColumns,
      vs_currency: { constant: context.slice.vsCurrency },
      granularity: { constant: granularity },
      ts: { numbers: ts },
      bucket_at: { numbers: bucket },
      ...values,
      bucket_date: { numbers: bucket },
      _absent: absentTexts(absent, unsent),
      _extra: listedAfter === null ? { constant: null } : extraTexts(rows, listedAfter),
    },
    rows.length,
  )
}

/** The values of one array by row. A row without a point gets the array's bit in `absent`. */
function pick(
  points: Points,
  at: Int32Array,
  rows: Int32Array,
  absent: Uint8Array,
  bit: number,
): ColumnData {
  const numbers = new Float64Array(rows.length)
  const validity = new Validity(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const index = at[rows[i]!]!
    if (index < 0) absent[i]! |= bit
    if (index < 0 || points.validity.isNull(index)) validity.setNull(i)
    else numbers[i] = points.values[index]!
  }
  return { numbers, validity }
}

function absentTexts(absent: Uint8Array, unsent: readonly string[]): ColumnData {
  if (absent.every((bits) => bits === 0)) return { constant: null }
  const marks = CHART_SERIES.map(({ key }) => (unsent.includes(key) ? notSentMark(key) : key))
  const textOf = (bits: number) =>
    bits === 0 ? null : JSON.stringify(marks.filter((_, i) => (bits & (1 << i)) !== 0))
  return Array.from(absent, textOf)
}

/** For each row that the source lists out of order, the time of the row listed before it; null: all are in order. */
function outOfOrder(times: Float64Array, inside: Int32Array): Map<number, number> | null {
  const after = new Map<number, number>()
  let newestMs = -Infinity
  for (let i = 0; i < inside.length; i++) {
    const ms = times[inside[i]!]!
    if (ms > newestMs) newestMs = ms
    else after.set(inside[i]!, times[inside[i - 1]!]!)
  }
  return after.size === 0 ? null : after
}

function extraTexts(rows: Int32Array, listedAfter: ReadonlyMap<number, number>): Scalar[] {
  return Array.from(rows, (row) => {
    const ms = listedAfter.get(row)
    return ms === undefined ? null : JSON.stringify({ listed_after: ms })
  })
}
