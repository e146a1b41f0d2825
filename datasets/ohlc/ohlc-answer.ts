import { DAY_MS } from '../../config/values/duration.ts'
import type { Granularity } from '../../api/granularity.ts'
import { CANDLE_STEPS, daysOf, stepOf } from '../../api/step-rules.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { COIN_CHART } from '../chart/chart-subject.ts'
import type { Answer, TableSpec } from '../dataset.ts'
import { CANDLE_INTERVALS, mergedCandles } from './ohlc-intervals.ts'
import { PRICES } from './ohlc-tables.ts'
import { roundPrice } from '../record/round-price.ts'

/** Answers ohlc with the candles of the last `days` days. Candles of an `interval` are made from finer stored ones. */
export function ohlcAnswer(spec: TableSpec): Answer {
  return {
    select: (params, nowMs) => {
      const equals = COIN_CHART.columnsOfParams(params)
      const fromMs = Math.max(0, nowMs - daysOf(params['days']) * DAY_MS)
      return [
        ...storedGranularities(params).map((granularity) => ({
          table: spec.name,
          equals: { ...equals, vs_currency: params['vs_currency'] ?? '', granularity },
          between: { column: 'ts', fromMs, toMs: nowMs },
          // Of a warehouse, only candles that have closed. The newest one of a simulated market may still run.
          newest: { column: 'close_at', nowMs, per: ['ts'] },
          orderBy: [{ column: 'ts' }],
        })),
        { table: COIN_CHART.listedIn, equals, orderBy: [], limit: 1 },
        { table: spec.name, equals, orderBy: [], limit: 1 },
      ]
    },
    toBody: (rows, params) => {
      const interval = intervalOf(params)
      const steps = storedGranularities(params).length
      const stored = rows.slice(0, steps)
      const candles = interval === undefined ? (stored[0] ?? []) : mergedCandles(interval, stored)
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
  return intervalOf(params)?.sourceGranularities ?? [stepOf(CANDLE_STEPS, daysOf(params['days']))]
}

function intervalOf({ interval = '' }: ParamValues) {
  return CANDLE_INTERVALS[interval]
}
