import { DAY_MS } from '../../config/values/duration.ts'
import { CHART_INTERVALS, type Granularity } from '../../api/granularity.ts'
import { chartGranularity, DAYS_CHART_STEPS, daysOf, stepOf } from '../../api/step-rules.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { ChartSubject } from './chart-subject.ts'
import { CHART_SERIES, notSentMark } from './chart-tables.ts'
import type { Answer, Row, TableSpec } from '../dataset.ts'
import { roundPrice } from '../record/round-price.ts'
import { absentOf, parsed } from '../record/write-record.ts'

interface Window {
  granularity: Granularity
  fromMs: number
  toMs: number
}

/** Answers market_chart with the last `days` days; `max`: everything. */
export function chartAnswer(subject: ChartSubject, spec: TableSpec): Answer {
  return answer(subject, spec, (params, nowMs) => {
    const days = daysOf(params['days'])
    return {
      granularity: CHART_INTERVALS[params['interval'] ?? ''] ?? stepOf(DAYS_CHART_STEPS, days),
      fromMs: Math.max(0, nowMs - days * DAY_MS),
      toMs: nowMs,
    }
  })
}

/** Answers market_chart/range. Bounds are whole seconds, both inclusive. */
export function rangeAnswer(subject: ChartSubject, spec: TableSpec): Answer {
  return answer(subject, spec, (params, nowMs) => {
    const fromMs = Number(params['from']) * 1000
    const toMs = Number(params['to']) * 1000
    const granularity =
      CHART_INTERVALS[params['interval'] ?? ''] ?? chartGranularity(fromMs, toMs, nowMs)
    // Rows later than the service's clock are never answered.
    return { granularity, fromMs, toMs: Math.min(toMs, nowMs) }
  })
}

function answer(
  subject: ChartSubject,
  spec: TableSpec,
  window: (params: ParamValues, nowMs: number) => Window,
): Answer {
  return {
    select: (params, nowMs) => {
      const { granularity, fromMs, toMs } = window(params, nowMs)
      const ofSubject = subject.columnsOfParams(params)
      return [
        {
          table: spec.name,
          equals: { ...ofSubject, vs_currency: params['vs_currency'] ?? '', granularity },
          between: { column: 'ts', fromMs, toMs },
          orderBy: [{ column: 'ts' }],
        },
        // One of these has a row when the subject is known.
        { table: subject.listedIn, equals: ofSubject, orderBy: [], limit: 1 },
        { table: spec.name, equals: ofSubject, orderBy: [], limit: 1 },
      ]
    },
    toBody: ([points = [], ...known], params) =>
      points.length === 0 && known.every((rows) => rows.length === 0)
        ? null
        : chartBody(points, params),
  }
}

function chartBody(
  points: readonly Row[],
  params: ParamValues,
): Record<string, [number, number | null][]> {
  const rows = asListed(points)
  const body: Record<string, [number, number | null][]> = {}
  const absent = rows.map(absentOf)
  for (const { key, column } of CHART_SERIES) {
    const missing = notSentMark(key)
    if (rows.length > 0 && absent.every((keys) => keys.includes(missing))) continue
    const series: [number, number | null][] = []
    for (const [index, row] of rows.entries()) {
      if (absent[index]!.includes(key) || absent[index]!.includes(missing)) continue
      const value = row[column] as number | null
      series.push([row['ts'] as number, key === 'prices' ? roundPrice(value, params) : value])
    }
    body[key] = series
  }
  return body
}

/** Rows in the source's order: by time, but a row listed out of order follows its predecessor. */
function asListed(rows: readonly Row[]): readonly Row[] {
  if (rows.every((row) => row['_extra'] == null)) return rows
  const present = new Set(rows.map((row) => row['ts']))
  const follower = new Map<number, Row>()
  const inOrder: Row[] = []
  for (const row of rows) {
    const afterMs = (parsed(row['_extra']) as { listed_after?: number } | null)?.listed_after
    if (afterMs !== undefined && present.has(afterMs)) follower.set(afterMs, row)
    else inOrder.push(row)
  }
  const listed: Row[] = []
  for (const first of inOrder) {
    let row: Row | undefined = first
    while (row !== undefined) {
      listed.push(row)
      row = follower.get(row['ts'] as number)
    }
  }
  return listed
}
