import { COIN_HISTORY } from './coin-history-tables.ts'
import type { Answer, Row } from '../dataset.ts'
import { writeNested } from '../record/write-nested.ts'

/** The keys of an answer for a day without data. They only name the coin. */
const IDENTITY = ['id', 'symbol', 'name', 'localization', 'image']

/** The body of the day `date`. A known coin without data on that day has a body without market_data. */
export const coinHistoryAnswer: Answer = {
  select: (params, nowMs) => {
    const equals = { coin_id: params['id'] ?? '' }
    const dayMs = dayStart(params['date'] ?? '')
    // A warehouse may be filled ahead of the clock. Rows after now are never answered.
    const between = { column: 'ts', fromMs: dayMs, toMs: Math.min(dayMs, nowMs) }
    const stats = COIN_HISTORY.parent.name
    return [
      { table: stats, equals, between, orderBy: [] },
      ...COIN_HISTORY.children.map(({ spec, key }) => ({
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

/** Start of a date. A text that is no date gets a time that no row has. */
function dayStart(date: string): number {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(ms) ? ms : Number.MAX_SAFE_INTEGER
}

function dayBody(day: Row | undefined, prices: readonly Row[]): Record<string, unknown> | null {
  return day === undefined ? null : writeNested(COIN_HISTORY, day, [prices])
}

function identity(newest: Row | undefined, coin: Row | undefined): Record<string, unknown> | null {
  const body = dayBody(newest, [])
  if (body !== null) {
    return Object.fromEntries(Object.entries(body).filter(([key]) => IDENTITY.includes(key)))
  }
  if (coin === undefined) return null
  return { id: coin['coin_id'], symbol: coin['symbol'], name: coin['name'] }
}
