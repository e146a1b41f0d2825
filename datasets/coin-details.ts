import { TICKER_FIELDS } from './tickers/exchange-ticker-fields.ts'
import { nestedParts } from './record/nested-body.ts'
import { coinTickers } from './coin-tickers.ts'
import { COIN_ID } from './table/common-columns.ts'
import type { Answer } from './dataset.ts'
import { applyDetailFlags, detailBody, selectDetail } from './details/detail-answer.ts'
import { ROWS_PER_DETAIL, nestedDetailBody } from './details/detail-tables.ts'
import { bodyWithText } from './record/envelope.ts'
import { newestRows } from './record/newest-rows.ts'
import { readNested } from './record/read-nested.ts'
import { tickersOf } from './tickers/tickers-answer.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'

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
    newestRows(coinTickers.tables[0]!, nowMs, {
      equals: { listing_coin_id: params['id'] ?? '' },
      limit: TICKERS,
    }),
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

export const coinDetails = snapshotDataset({
  name: 'coin_details',
  description:
    'All that the source tells of one coin, in every currency and language, once per `every`.',
  operation: 'coins/{id}',
  params: ({ entity: id }) => ({
    id,
    localization: 'true',
    tickers: 'false',
    include_categories_details: 'true',
  }),
  tables: [COIN_DETAILS.parent, ...COIN_DETAILS.children.map(({ spec }) => spec)],
  entity: 'coin',
  rowsPerSlice: ROWS_PER_DETAIL,
  leftOut: [
    {
      path: '$.tickers',
      reason: 'coinlake asks for no tickers here, because coin_tickers holds the whole list.',
    },
  ],
  toTables: (body, context) => {
    const ids = { coin_id: context.slice.entity }
    return readNested(COIN_DETAILS, bodyWithText(body, 'id'), context, ids)
  },
  answer,
  parts: [...nestedParts(COIN_DETAILS), { at: '$.tickers[*]', fields: TICKER_FIELDS }],
})
