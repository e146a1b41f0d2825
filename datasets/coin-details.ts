import { singleStep } from './request/single-step.ts'
import { TICKER_FIELDS } from './tickers/exchange-ticker-fields.ts'
import { nestedParts } from './record/nested-body.ts'
import { SourceDataError } from '../api/errors.ts'
import { COIN_TICKERS } from './coin-tickers.ts'
import { COIN_ID } from './table/common-columns.ts'
import type { Answer, Dataset } from './dataset.ts'
import { applyDetailFlags, detailBody, selectDetail } from './details/detail-answer.ts'
import { ROWS_PER_DETAIL, nestedDetailBody } from './details/detail-tables.ts'
import { isObject } from './record/read-record.ts'
import { readNested } from './record/read-nested.ts'
import { tickersOf } from './tickers/tickers-answer.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

export const COIN_DETAILS = nestedDetailBody({
  table: 'coin_details',
  prefix: 'coin_detail_',
  subject: 'coin',
  ids: [COIN_ID],
  platformPrefix: '',
})

const TICKERS = 100

const answer: Answer = {
  select: (params, nowMs) => [
    ...selectDetail(COIN_DETAILS, { coin_id: params['id'] ?? '' }, nowMs),
    {
      table: COIN_TICKERS.name,
      equals: { listing_coin_id: params['id'] ?? '' },
      newest: { column: 'observed_at', nowMs },
      orderBy: [{ column: 'ordinal' }],
      limit: TICKERS,
    },
  ],
  toBody: (rows, params) => {
    const body = detailBody(COIN_DETAILS, rows)
    if (body === null) return null
    applyDetailFlags(body, params)
    const tickers = rows.at(-1) ?? []
    // [] would mean that the coin has no tickers. They may only not be exported.
    if (params['tickers'] !== 'false' && tickers.length > 0) {
      body['tickers'] = tickersOf(tickers, tickers[0], {})
    }
    return body
  },
}

export const coinDetails: Dataset = {
  name: 'coin_details',
  description:
    'All that the source tells of one coin, in every currency and language, once per `every`.',
  kind: 'snapshot',
  operations: ['coins/{id}'],
  tables: [COIN_DETAILS.parent, ...COIN_DETAILS.children.map(({ spec }) => spec)],
  entity: 'coin',
  rowsPerSlice: ROWS_PER_DETAIL,
  ...WITHOUT_SERIES,
  leftOut: [
    {
      path: '$.tickers',
      reason: 'coinlake asks for no tickers here, because coin_tickers holds the whole list.',
    },
  ],
  steps: (slice) => [
    singleStep('coins/{id}', {
      id: slice.entity,
      localization: 'true',
      tickers: 'false',
      include_categories_details: 'true',
    }),
  ],
  toTables: (body, { slice, observedAtMs }) => {
    if (!isObject(body)) throw new SourceDataError('$ is no object')
    if (typeof body['id'] !== 'string') throw new SourceDataError('$.id is no text')
    return readNested(COIN_DETAILS, body, {
      coin_id: slice.entity,
      observed_at: observedAtMs,
      observed_date: observedAtMs,
    })
  },
  answers: { 'coins/{id}': answer },
  bodies: {
    'coins/{id}': [...nestedParts(COIN_DETAILS), { at: '$.tickers[*]', fields: TICKER_FIELDS }],
  },
}
