import {
  CHART_CACHE_AGE_S,
  CHART_INTERVALS,
  chartGranularity,
  daysGranularity,
} from '../api/granularity.ts'
import type { Operation, ParamValues } from '../api/operation.ts'

/**
 * How long an answer may be kept, in seconds. Charts say it by their points: what is daily holds for
 * half a day, what has a point every five minutes for half a minute.
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
