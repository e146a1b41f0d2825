import type { Answer, Row } from '../dataset.ts'
import { DERIVATIVE_EXCHANGE_FIELDS } from './derivative-exchange-fields.ts'
import { DERIVATIVE_EXCHANGE_TICKER_FIELDS } from './derivative-exchange-ticker-fields.ts'
import { DERIVATIVE_EXCHANGE_STATS } from '../derivative-exchanges.ts'
import { writeRecord } from '../record/write-record.ts'

/**
 * Answers for one derivative exchange from its own observation. Without one, the newest listing of all exchanges
 * answers, which has the same fields. `include_tickers` chooses the contracts.
 */
export function derivativeExchangeAnswer(tables: { details: string; tickers: string }): Answer {
  return {
    select: (params, nowMs) => {
      const equals = { exchange_id: params['id'] ?? '' }
      const newest = { column: 'observed_at', nowMs }
      return [
        { table: tables.details, equals, newest, orderBy: [] },
        { table: DERIVATIVE_EXCHANGE_STATS.name, equals, newest, orderBy: [] },
        { table: tables.tickers, equals, newest, orderBy: [{ column: 'ordinal' }] },
      ]
    },
    toBody: ([details = [], listed = [], tickers = []], params, nowMs) => {
      const row = details[0] ?? listed[0]
      if (row === undefined) return null
      const body = writeRecord(DERIVATIVE_EXCHANGE_FIELDS, row)
      const wanted = params['include_tickers'] ?? ''
      if (wanted === '') return body
      const shown = tickers.filter(
        (ticker) =>
          // Only contracts of the same answer belong to the body.
          ticker['observed_at'] === row['observed_at'] &&
          (wanted !== 'unexpired' || !isExpired(ticker, nowMs)),
      )
      const contracts = shown.map((ticker) =>
        writeRecord(DERIVATIVE_EXCHANGE_TICKER_FIELDS, ticker),
      )
      return { ...body, tickers: contracts }
    },
  }
}

function isExpired(ticker: Row, nowMs: number): boolean {
  const expiredAtMs = ticker['expired_at'] ?? null
  return expiredAtMs !== null && (expiredAtMs as number) <= nowMs
}
