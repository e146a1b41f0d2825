import { DAY_MS, MINUTE_MS } from '../../config/values/duration.ts'
import { CHART_CACHE_AGE_S, GRANULARITY_MS, MAX_HOURLY_DAYS } from '../../api/granularity.ts'
import { chartAnswer, rangeAnswer } from './chart-answers.ts'
import { chartSteps } from './chart-steps.ts'
import type { ChartSubject } from './chart-subject.ts'
import { chartTables } from './chart-tables.ts'
import type { Dataset, TableSpec } from '../dataset.ts'

/** Ten years (3,650 points, some 350 kB) keep a page small. */
const MAX_DAILY_SLICE_DAYS = 3650

/** Two steps: points come 132 to 527 s apart, and answers are cached for 30 s. */
const SETTLE_5M_MS = 10 * 60_000
/**
 * Hourly: an answer may be 30 minutes old, and a point 30 minutes late.
 * Daily: a completed day has its point by 00:35 UTC. Stale answers expire at 00:40.
 */
export const SETTLE_MS = GRANULARITY_MS['1h']

/** The longest time from the start of a step to its point; see SETTLE_MS. */
const LATE_MS = { '5m': 5 * MINUTE_MS, '1h': 30 * MINUTE_MS, '1d': 40 * MINUTE_MS } as const

/** The source caches 5-minute charts for 30 s. Caches on the way keep answers longer. */
const LEAST_CACHE_MS = 3 * MINUTE_MS

type ChartGranularity = keyof typeof LATE_MS

export function chartDataset(
  subject: ChartSubject,
  table: TableSpec,
): Omit<Dataset, 'name' | 'description' | 'entity'> {
  const { days, range } = subject.operations
  return {
    kind: 'range',
    operations: [range, days],
    tables: [table],
    perCurrency: true,
    granularities: ['1d', '1h', '5m'],
    maxSliceMs: (granularity) => {
      // One request reaches a day back. The step in which that day begins belongs to the slice too.
      if (granularity === '5m') return DAY_MS + GRANULARITY_MS['5m']
      return (granularity === '1h' ? MAX_HOURLY_DAYS : MAX_DAILY_SLICE_DAYS) * DAY_MS
    },
    reachMs: (granularity) => (granularity === '5m' ? DAY_MS : null),
    settleMs: (granularity) => (granularity === '5m' ? SETTLE_5M_MS : SETTLE_MS),
    lateMs: (granularity) => LATE_MS[granularity as ChartGranularity],
    cacheMs: (granularity) =>
      Math.max(CHART_CACHE_AGE_S[granularity as ChartGranularity] * 1_000, LEAST_CACHE_MS),
    leftOut: [
      {
        path: '$.market_caps, $.total_volumes (order)',
        reason:
          'Points are joined by timestamp. When two arrays list the same points in different orders, the order of $.prices is kept.',
      },
    ],
    steps: (slice, context) => chartSteps(subject, slice, context),
    toTables: (body, context) => chartTables(subject, table, body, context),
    answers: { [days]: chartAnswer(subject, table), [range]: rangeAnswer(subject, table) },
  }
}
