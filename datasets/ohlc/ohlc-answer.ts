import { DAY_MS } from '../../config/values/duration.ts'
import type { Granularity } from '../../api/granularity.ts'
import { CANDLE_STEPS, stepOf } from '../../api/step-rules.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { COIN_CHART } from '../chart/chart-subject.ts'
import type { Answer, Row, RowSelection, TableSpec } from '../dataset.ts'
import { CANDLE_INTERVALS, intervalStart, mergedCandles } from './ohlc-intervals.ts'
import { PRICES } from './ohlc-tables.ts'
import { roundPrice } from '../record/round-price.ts'

/** Answers ohlc with the candles of the last `days` days. Candles of an `interval` are made from finer stored ones. */
export function ohlcAnswer(spec: TableSpec): Answer {
  return {
    select: (params, nowMs) => {
      const equals = COIN_CHART.columnsOfParams(params)
      return [
        ...storedGranularities(params).map((granularity) =>
          candleSelection(spec, granularity, params, nowMs),
        ),
        { table: COIN_CHART.listedIn, equals, orderBy: [], limit: 1 },
        { table: spec.name, equals, orderBy: [], limit: 1 },
      ]
    },
    toBody: (rows, params) => {
      const steps = storedGranularities(params).length
      const candles = answeredCandles(rows.slice(0, steps), params)
      const isKnown = rows.slice(steps).some((known) => known.length > 0)
      if (candles.length === 0 && !isKnown) return null
      return candles.map((row) => [
        row['close_at'],
        ...PRICES.map((name) => roundPrice(row[name], params)),
      ])
    },
  }
}

function storedGranularities(params: ParamValues): readonly Granularity[] {
  const interval = CANDLE_INTERVALS[params['interval'] ?? '']
  return interval?.sourceGranularities ?? [stepOf(CANDLE_STEPS, daysOf(params))]
}

function candleSelection(
  spec: TableSpec,
  granularity: Granularity,
  params: ParamValues,
  nowMs: number,
): RowSelection {
  const days = daysOf(params)
  const fromMs = days === 'max' ? 0 : nowMs - days * DAY_MS
  return {
    table: spec.name,
    equals: {
      coin_id: params['id'] ?? '',
      vs_currency: params['vs_currency'] ?? '',
      granularity,
    },
    between: { column: 'ts', fromMs: firstStartMs(fromMs, params), toMs: nowMs },
    orderBy: [{ column: 'ts' }],
  }
}

/** The start of the first whole step in the window. */
function firstStartMs(fromMs: number, params: ParamValues): number {
  const interval = CANDLE_INTERVALS[params['interval'] ?? '']
  if (interval === undefined) return fromMs
  const startMs = intervalStart(fromMs, interval)
  return startMs < fromMs ? startMs + interval.stepMs : startMs
}

function answeredCandles(stored: readonly (readonly Row[])[], params: ParamValues): readonly Row[] {
  const interval = CANDLE_INTERVALS[params['interval'] ?? '']
  return interval === undefined ? (stored[0] ?? []) : mergedCandles(interval, stored)
}

function daysOf({ days }: ParamValues): number | 'max' {
  return days === 'max' ? 'max' : Number(days)
}
