import { DAY_MS, MINUTE_MS } from '../config/values/duration.ts'
import { required } from './table/column.ts'
import { factsBy } from './table/row-keys.ts'
import { singleStep } from './request/steps.ts'
import { trailingReachMs, trailingDays } from './request/trailing-days.ts'
import { GRANULARITY_MS } from '../api/granularity.ts'
import { stepOf, VOLUME_STEPS } from '../api/step-rules.ts'
import { EXCHANGE_ID, EXTRA, GRANULARITY, TS } from './table/common-columns.ts'
import type { Answer, Dataset, Row, TableSpec } from './dataset.ts'
import { SETTLE_MS } from './chart/chart-dataset.ts'
import { VOLUME, volumeTables } from './exchange/exchange-volume-body.ts'
import { columnsOf } from './record/record-field.ts'
import { parsed } from './record/write-record.ts'

const EXCHANGE_VOLUME_CHART: TableSpec = {
  name: 'exchange_volume_chart',
  description:
    'Rolling 24-hour volume of an exchange over time: one row per exchange, granularity and timestamp. The source only answers for the last days (10m: 1 day, 1h: 14 days, 1d: 365 days). Always filter by granularity.',
  columns: [
    EXCHANGE_ID,
    GRANULARITY,
    { ...TS, description: "The source's own time of the point." },
    required(
      'bucket_at',
      'timestamp',
      'Start of the bucket of ts. Buckets are as long as the granularity and aligned to the epoch. Join two exchanges on it.',
    ),
    ...columnsOf([VOLUME]),
    required('bucket_date', 'date', 'UTC date of bucket_at.'),
    {
      ...EXTRA,
      description:
        'Technical: JSON object {"value": number} of a point whose volume the source sent as a number; NULL otherwise.',
    },
  ],
  ...factsBy(['exchange_id', 'granularity', 'ts']),
}

/** Two steps: points come late, and answers are cached for a minute. */
const SETTLE_10M_MS = 2 * GRANULARITY_MS['10m']
/** The longest time from the start of a step to its point. */
const LATE_MS = { '10m': 5 * MINUTE_MS, '1h': 30 * MINUTE_MS, '1d': 40 * MINUTE_MS } as const

const answer: Answer = {
  select: (params, nowMs) => {
    const equals = { exchange_id: params['id'] ?? '' }
    // Without `days` the answer covers one day.
    const days = Number(params['days'] ?? 1)
    return [
      {
        table: EXCHANGE_VOLUME_CHART.name,
        equals: { ...equals, granularity: stepOf(VOLUME_STEPS, days) },
        between: { column: 'ts', fromMs: nowMs - days * DAY_MS, toMs: nowMs },
        orderBy: [{ column: 'ts' }],
      },
      // One of these has a row when the exchange is known.
      { table: 'exchanges', equals, orderBy: [], limit: 1 },
      { table: 'derivative_exchanges', equals, orderBy: [], limit: 1 },
      { table: EXCHANGE_VOLUME_CHART.name, equals, orderBy: [], limit: 1 },
    ]
  },
  toBody: ([points = [], ...known]) =>
    points.length === 0 && known.every((rows) => rows.length === 0)
      ? null
      : points.map((row) => [row['ts'], volumeOf(row)]),
}

function volumeOf(row: Row): unknown {
  const extra = parsed(row['_extra']) as { value: number } | null
  return extra === null ? row[VOLUME.column.name] : extra.value
}

export const exchangeVolumeChart: Dataset = {
  name: 'exchange_volume_chart',
  description: 'Rolling 24-hour volume of the last days per exchange.',
  pointName: 'exchange volume',
  kind: 'trailing',
  operations: ['exchanges/{id}/volume_chart'],
  tables: [EXCHANGE_VOLUME_CHART],
  entity: 'exchange',
  perCurrency: false,
  // 10m is the default: every service answers for one day, only some for more.
  granularities: ['10m', '1h', '1d'],
  maxSliceMs: () => Infinity,
  reachMs: (granularity) => trailingReachMs(VOLUME_STEPS, granularity),
  settleMs: (granularity) => (granularity === '10m' ? SETTLE_10M_MS : SETTLE_MS),
  lateMs: (granularity) => LATE_MS[granularity as keyof typeof LATE_MS],
  cacheMs: () => MINUTE_MS,
  leftOut: [{ path: '$ (order)', reason: 'Points are given back in order of time.' }],
  steps: (slice, context) => {
    const days = trailingDays(VOLUME_STEPS, slice, context)
    return [singleStep('exchanges/{id}/volume_chart', { id: slice.entity, days })]
  },
  toTables: (body, context) => volumeTables(EXCHANGE_VOLUME_CHART, body, context),
  answers: { 'exchanges/{id}/volume_chart': answer },
}
