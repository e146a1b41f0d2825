import { singleStep } from './request/single-step.ts'
import { nestedParts } from './record/nested-body.ts'
import { SourceDataError } from '../api/errors.ts'
import { DAY_MS, GRANULARITY_MS } from '../api/granularity.ts'
import { tableFromColumns } from './arrow/arrow-columns.ts'
import { coinHistoryAnswer } from './details/coin-history-answer.ts'
import { COIN_HISTORY } from './details/coin-history-tables.ts'
import type { Dataset, PageTables } from './dataset.ts'
import { isObject } from './record/read-record.ts'
import { readNested } from './record/read-nested.ts'

/** The day before appears by 00:35 UTC, and stale answers expire at 00:40. */
const SETTLE_MS = GRANULARITY_MS['1h']

/** Parts of a body that belong to the day; the others are of the moment of the request. */
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
  // One of 63 currencies each, and one of all else.
  rowsPerSlice: 64,
  perCurrency: false,
  granularities: [],
  maxSliceMs: () => DAY_MS,
  reachMs: () => null,
  settleMs: () => SETTLE_MS,
  // Of the day that has ended.
  lateMs: () => DAY_MS + SETTLE_MS,
  cacheMs: () => 0,
  leftOut: [
    {
      path: '$.id, $.symbol, $.name, $.localization, $.image (of a day without data)',
      reason:
        'An answer without market_data and without a value of the day tells of the coin as it is now, and nothing of the day: no row is written, and the day counts as empty at source. The service fills these keys from the newest day it has.',
    },
  ],
  steps: (slice) => [
    singleStep('coins/{id}/history', {
      id: slice.entity,
      date: new Date(slice.fromMs).toISOString().slice(0, 'yyyy-mm-dd'.length),
      localization: 'true',
    }),
  ],
  toTables: (body, { slice }) => {
    if (!isObject(body)) throw new SourceDataError('$ is no object')
    if (typeof body['id'] !== 'string') throw new SourceDataError('$.id is no text')
    const { entity: coin_id, fromMs } = slice
    const page = readNested(COIN_HISTORY, body, { coin_id, date: fromMs, ts: fromMs })
    return isDayWithoutData(body) ? { ...page, tables: noRows(), itemCount: 0 } : page
  },
  answers: { 'coins/{id}/history': coinHistoryAnswer },
  bodies: { 'coins/{id}/history': nestedParts(COIN_HISTORY) },
}

function isDayWithoutData(body: Readonly<Record<string, unknown>>): boolean {
  return (body['market_data'] ?? null) === null && OF_THE_DAY.every((key) => isBlank(body[key]))
}

/** Whether a value says nothing: nulls, and objects and lists of nothing else. */
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
