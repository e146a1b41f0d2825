import type { Answer, Row, TableSpec } from '../dataset.ts'
import { DERIVATIVE_EXCHANGE_FIELDS } from './derivative-exchange-fields.ts'
import { DERIVATIVE_EXCHANGE_TICKER_FIELDS } from './derivative-exchange-ticker-fields.ts'
import { DERIVATIVE_EXCHANGE_STATS } from '../derivative-exchanges.ts'
import { newestRows, ofObservation } from '../record/newest-rows.ts'
import { writeRecord } from '../record/write-record.ts'

/**
 * Answers for one derivative exchange from its own observation. Without one, the newest listing of all exchanges
 * answers, which has the same fields. `include_tickers` chooses the contracts.
 */
export function derivativeExchangeAnswer(tables: {
  details: TableSpec
  tickers: TableSpec
}): Answer {
  return {
    select: (params, nowMs) => {
      const equals = { exchange_id: params['id'] ?? '' }
      return [
        newestRows(tables.details, nowMs, { equals }),
        newestRows(DERIVATIVE_EXCHANGE_STATS, nowMs, { equals, orderBy: [] }),
        newestRows(tables.tickers, nowMs, { equals }),
      ]
    },
    toBody: ([details = [], listed = [], tickers = []], params, nowMs) => {
      const row = details[0] ?? listed[0]
      if (row === undefined) return null
      const body = writeRecord(DERIVATIVE_EXCHANGE_FIELDS, row)
      const wanted = params['include_tickers'] ?? ''
      if (wanted === '') return body
      const shown = ofObservation(tickers, row)
        .filter((ticker) => wanted !== 'unexpired' || !isExpired(ticker, nowMs))
        .map((ticker) => writeRecord(DERIVATIVE_EXCHANGE_TICKER_FIELDS, ticker))
      return { ...body, tickers: shown }
    },
  }
}

function isExpired(ticker: Row, nowMs: number): boolean {
  const expiredAtMs = ticker['expired_at'] ?? null
  return expiredAtMs !== null && (expiredAtMs as number) <= nowMs
}
