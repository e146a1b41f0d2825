import { GRANULARITY_MS, MAX_HOURLY_DAYS, DAY_MS } from '../api/granularity.ts'
import { chartAnswer, rangeAnswer } from './chart-answers.ts'
import { chartSteps } from './chart-steps.ts'
import { chartTables } from './chart-tables.ts'
import { ABSENT, COIN_ID, EXTRA, GRANULARITY, TS, VS_CURRENCY } from './common-columns.ts'
import type { Dataset, TableSpec } from './dataset.ts'

/** Price, market cap and volume by coin, currency, granularity and time. */
export const MARKET_CHART: TableSpec = {
  name: 'market_chart',
  description:
    'Price, market cap and rolling 24-hour volume of a coin over time, as the source listed them: one row per coin, currency, granularity and timestamp. Points jitter, so join two coins on bucket_at and never on ts; always filter by granularity, or read the views hourly_prices and daily_prices.',
  columns: [
    COIN_ID,
    VS_CURRENCY,
    GRANULARITY,
    {
      ...TS,
      description:
        "The source's own time of the point, to the millisecond. It jitters (an hourly point may come 11 minutes or 2 hours after the last one), and the last point of a series is the moment of the request. A daily point at 00:00 UTC of day D is the price at the start of D, that is the close of D-1.",
    },
    {
      name: 'bucket_at',
      type: 'timestamp',
      unit: 'UTC',
      nullable: false,
      description:
        'Start of the step of the granularity that holds ts, aligned to the epoch. Two coins meet here. A bucket can hold two points, or none where the source has a gap.',
    },
    {
      name: 'price',
      type: 'double',
      unit: 'vs_currency',
      description:
        'Price of one coin, sampled at ts and bit-equal to what the source sent. NULL where the source sent null.',
    },
    {
      name: 'market_cap',
      type: 'double',
      unit: 'vs_currency',
      description:
        'Price times circulating supply at ts. 0 means unknown (weeks after a listing), not worthless; NULL where the source sent null.',
    },
    {
      name: 'total_volume',
      type: 'double',
      unit: 'vs_currency',
      description:
        'Volume traded in the 24 hours before ts: a rolling figure. Never sum it over points closer than a day. 0 before 2014 means unknown.',
    },
    {
      name: 'bucket_date',
      type: 'date',
      unit: 'UTC',
      nullable: false,
      description: 'UTC date of bucket_at.',
    },
    {
      ...ABSENT,
      description:
        'Technical: JSON array of the arrays of the answer (prices, market_caps, total_volumes) that had no good point at this ts; NULL when all three had one. Tells "not sent" from a null that was sent.',
    },
    {
      ...EXTRA,
      description:
        'Technical: JSON object {"listed_after": epoch ms} of a point that the source listed out of order, behind the point of that time; NULL otherwise.',
    },
  ],
  key: ['coin_id', 'vs_currency', 'granularity', 'ts'],
  sort: ['coin_id', 'vs_currency', 'granularity', 'ts'],
  load: 'facts',
  monthBy: 'ts',
}

/** One call answers any number of days; ten years (3,650 points, some 350 kB) keep a page small. */
const MAX_DAILY_SLICE_DAYS = 3650

/** Two steps of 5 minutes: points come 132 to 527 s apart and are cached for 30 s. */
const SETTLE_5M_MS = 10 * 60_000
/**
 * Hourly: the answer may be 30 minutes old, and a point may come as much later. Daily: the point of a
 * completed day appears by 00:35 UTC and stale answers expire at 00:40.
 */
const SETTLE_MS = GRANULARITY_MS['1h']

export const marketChart: Dataset = {
  name: 'market_chart',
  description: 'History of price, market cap and 24-hour volume per coin and currency.',
  kind: 'range',
  operations: ['coins/{id}/market_chart/range', 'coins/{id}/market_chart'],
  tables: [MARKET_CHART],
  entity: 'coin',
  perCurrency: true,
  granularities: ['1d', '1h', '5m'],
  maxSliceMs: (granularity) => {
    // The day that one request reaches back, and the step that its start cuts.
    if (granularity === '5m') return DAY_MS + GRANULARITY_MS['5m']
    return (granularity === '1h' ? MAX_HOURLY_DAYS : MAX_DAILY_SLICE_DAYS) * DAY_MS
  },
  reachMs: (granularity) => (granularity === '5m' ? DAY_MS : null),
  settleMs: (granularity) => (granularity === '5m' ? SETTLE_5M_MS : SETTLE_MS),
  leftOut: [
    {
      path: '$.market_caps, $.total_volumes (order)',
      reason:
        'Points are joined by timestamp; where two arrays list the same points in different orders, the order of $.prices is kept.',
    },
  ],
  steps: chartSteps,
  toTables: (body, context) => chartTables(MARKET_CHART, body, context),
  answers: {
    'coins/{id}/market_chart': chartAnswer(MARKET_CHART),
    'coins/{id}/market_chart/range': rangeAnswer(MARKET_CHART),
  },
}
