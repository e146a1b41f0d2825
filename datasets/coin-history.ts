import { singleStep } from './request/single-step.ts'
import { nestedParts } from './record/nested-body.ts'
import { DAY_MS, GRANULARITY_MS } from '../api/granularity.ts'
import { tableFromColumns } from './arrow/arrow-columns.ts'
import { coinHistoryAnswer } from './details/coin-history-answer.ts'
import { COIN_HISTORY } from './details/coin-history-tables.ts'
import type { Dataset, PageTables } from './dataset.ts'
import { bodyWithText } from './record/envelope.ts'
import { readNested } from './record/read-nested.ts'

/** The source has a completed day by 00:35 UTC. Its stale answers expire at 00:40. */
const SETTLE_MS = GRANULARITY_MS['1h']

/** The parts of a body that describe the day. All others describe the moment of the request. */
const OF_THE_DAY = ['community_data', 'developer_data', 'public_interest_stats']

const TABLES = [...COIN_HISTORY.children.map(({ spec }) => spec), COIN_HISTORY.parent]

export const coinHistory: Dataset = {
  name: 'coin_history',
  description:
    'A coin at the start of each day in all currencies, with followers and code; one call a day.',
  kind: 'dated',
  operations: ['coins/{id}/history'],
  tables: TABLES,
  entity: 'coin',
  // One row of prices for each of 63 currencies, and one row of everything else.
  rowsPerSlice: 64,
  perCurrency: false,
  granularities: [],
  maxSliceMs: () => DAY_MS,
  reachMs: () => null,
  settleMs: () => SETTLE_MS,
  // A day can be requested after its end.
  lateMs: () => DAY_MS + SETTLE_MS,
  cacheMs: () => 0,
  leftOut: [
    {
      path: '$.id, $.symbol, $.name, $.localization, $.image (of a day without data)',
      reason:
        'An answer without market_data and without any value of the day describes only the coin of today. So no row is written, and the day counts as empty at source. coinlake serve fills these keys from its newest day.',
    },
  ],
  steps: (slice) => [
    singleStep('coins/{id}/history', {
      id: slice.entity,
      date: new Date(slice.fromMs).toISOString().slice(0, 'yyyy-mm-dd'.length),
      localization: 'true',
    }),
  ],
  toTables: (body, context) => {
    const day = bodyWithText(body, 'id')
    const { entity: coin_id, fromMs } = context.slice
    const page = readNested(COIN_HISTORY, day, context, { coin_id, date: fromMs, ts: fromMs })
    return isDayWithoutData(day) ? { ...page, tables: noRows(), itemCount: 0 } : page
  },
  answers: { 'coins/{id}/history': coinHistoryAnswer },
  bodies: { 'coins/{id}/history': nestedParts(COIN_HISTORY) },
}

function isDayWithoutData(body: Readonly<Record<string, unknown>>): boolean {
  return (body['market_data'] ?? null) === null && OF_THE_DAY.every((key) => isBlank(body[key]))
}

/** Whether a value is null, or an object or a list of nulls only. */
function isBlank(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null
  return Object.values(value).every(isBlank)
}

function noRows(): PageTables['tables'] {
  return TABLES.map((spec) => {
    const columns = spec.columns.map(({ name }) => [name, { constant: null }] as const)
    return { table: spec.name, rows: tableFromColumns(spec, Object.fromEntries(columns), 0) }
  })
}
