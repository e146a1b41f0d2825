import { CHART_CACHE_AGE_S } from '../granularity.ts'
import { DAYS_CHART_STEPS, RANGE_CHART_STEPS } from '../step-rules.ts'
import { operation, type Param } from './describe-operation.ts'
import { DAYS, FROM, INTERVAL, PRECISION, TO, VS_CURRENCY } from './params.ts'
import { CHART } from './response-shapes.ts'

/**
 * The charts of a subject over the last days, ending now, and between two times.
 *
 * @param of text after `volume` in the summaries, such as ` of a token`
 */
export function chartOperations<const Path extends string>(
  path: Path,
  subject: string,
  subjectParams: readonly Param[],
  of = '',
) {
  const figures = `Price, market cap and 24-hour volume${of}`
  const common = { subject, response: CHART, cacheAgeS: CHART_CACHE_AGE_S['1d'] }
  return [
    operation({
      ...common,
      id: `${path}/market_chart`,
      summary: `${figures} over the last days.`,
      params: [...subjectParams, VS_CURRENCY, DAYS, INTERVAL, PRECISION],
      steps: DAYS_CHART_STEPS,
    }),
    operation({
      ...common,
      id: `${path}/market_chart/range`,
      summary: `${figures} between two times.`,
      params: [...subjectParams, VS_CURRENCY, FROM, TO, INTERVAL, PRECISION],
      steps: RANGE_CHART_STEPS,
    }),
  ] as const
}
