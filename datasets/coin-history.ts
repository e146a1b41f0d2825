import { DAY_MS } from '../config/values/duration.ts'
import { singleStep } from './request/steps.ts'
import { nestedParts } from './record/nested-body.ts'
import { SETTLE_MS } from './chart/chart-dataset.ts'
import { COIN_HISTORY_BODY } from './details/coin-history-tables.ts'
import type { Answer, Dataset, Row } from './dataset.ts'
import { bodyWithText } from './record/envelope.ts'
import { WITHOUT_SERIES } from './request/snapshot-dataset.ts'
import { readNested } from './record/read-nested.ts'
import { writeNested } from './record/write-nested.ts'

const TABLES = [...COIN_HISTORY_BODY.children.map(({ spec }) => spec), COIN_HISTORY_BODY.parent]

/** The keys of an answer for a day without data. They only name the coin. Any other key describes the day. */
const IDENTITY = ['id', 'symbol', 'name', 'localization', 'image']

/** The body of the day `date`. A known coin without data on that day has a body without market_data. */
const answer: Answer = {
  select: (params, nowMs) => {
    const equals = { coin_id: params['id'] ?? '' }
    const dayMs = dayStart(params['date'] ?? '')
    // Rows later than the service's clock are never answered.
    const between = { column: 'ts', fromMs: dayMs, toMs: Math.min(dayMs, nowMs) }
    const stats = COIN_HISTORY_BODY.parent.name
    return [
      { table: stats, equals, between, orderBy: [] },
      ...COIN_HISTORY_BODY.children.map(({ spec, key }) => ({
        table: spec.name,
        equals,
        between,
        orderBy: [{ column: key.name }],
      })),
      { table: stats, equals, newest: { column: 'ts', nowMs }, orderBy: [], limit: 1 },
      {
        table: 'coins',
        equals,
        orderBy: [{ column: 'last_seen_at', descending: true }],
        limit: 1,
      },
    ]
  },
  toBody: ([days = [], prices = [], newest = [], coin = []], params) => {
    const body = dayBody(days[0], prices) ?? identity(newest[0], coin[0])
    if (body !== null && params['localization'] === 'false') delete body['localization']
    return body
  },
}

export const coinHistory: Dataset = {
  name: 'coin_history',
  description:
    'A coin at the start of each day in all currencies, with followers and code; one call a day.',
  kind: 'dated',
  operations: ['coins/{id}/history'],
  tables: TABLES,
  ...WITHOUT_SERIES,
  entity: 'coin',
  // One row of prices for each of 63 currencies, and one row of everything else.
  rowsPerSlice: 64,
  maxSliceMs: () => DAY_MS,
  settleMs: () => SETTLE_MS,
  // A day can be requested after its end.
  lateMs: () => DAY_MS + SETTLE_MS,
  leftOut: [
    {
      path: '$.id, $.symbol, $.name, $.localization, $.image (of a day without data)',
      reason:
        'An answer without market_data and without any value of another key describes only the coin of today. So no row is written, and the day counts as empty at source. coinlake serve fills these keys from its newest day.',
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
    const page = readNested(COIN_HISTORY_BODY, day, context, { coin_id, date: fromMs, ts: fromMs })
    if (!isDayWithoutData(day)) return page
    const tables = page.tables.map(({ table, rows }) => ({ table, rows: rows.slice(0, 0) }))
    return { ...page, tables, itemCount: 0 }
  },
  answers: { 'coins/{id}/history': answer },
  bodies: { 'coins/{id}/history': nestedParts(COIN_HISTORY_BODY) },
}

function isDayWithoutData(body: Readonly<Record<string, unknown>>): boolean {
  const others = Object.keys(body).filter((key) => !IDENTITY.includes(key))
  return (body['market_data'] ?? null) === null && others.every((key) => isBlank(body[key]))
}

/** Whether a value is null, or an object or a list of nulls only. */
function isBlank(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null
  return Object.values(value).every(isBlank)
}

/** Start of a date. A text that is no date gets a time that no row has. */
function dayStart(date: string): number {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(ms) ? ms : Number.MAX_SAFE_INTEGER
}

function dayBody(day: Row | undefined, prices: readonly Row[]): Record<string, unknown> | null {
  return day === undefined ? null : writeNested(COIN_HISTORY_BODY, day, [prices])
}

function identity(newest: Row | undefined, coin: Row | undefined): Record<string, unknown> | null {
  const body = dayBody(newest, [])
  if (body !== null) {
    return Object.fromEntries(Object.entries(body).filter(([key]) => IDENTITY.includes(key)))
  }
  if (coin === undefined) return null
  return { id: coin['coin_id'], symbol: coin['symbol'], name: coin['name'] }
}
