import {
  CHART_CACHE_AGE_S,
  CHART_INTERVALS,
  chartGranularity,
  daysGranularity,
} from '../api/granularity.ts'
import type { Operation, ParamValues } from '../api/operation.ts'

/**
 * How long an answer may be cached, in seconds. For charts that depends on the granularity: half a day
 * for daily points, half a minute for points every five minutes.
 */
export function cacheAgeS(operation: Operation, params: ParamValues, nowMs: number): number {
  if (!operation.id.includes('market_chart')) return operation.cacheAgeS
  const { days, from, to, interval = '' } = params
  const unnamed =
    days === undefined
      ? chartGranularity({ fromMs: Number(from) * 1_000, toMs: Number(to) * 1_000, nowMs })
      : daysGranularity(days === 'max' ? 'max' : Number(days))
  return CHART_CACHE_AGE_S[CHART_INTERVALS[interval] ?? unnamed]
}
