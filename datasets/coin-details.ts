import { coinTickers } from './coin-tickers.ts'
import { COIN_ID } from './table/common-columns.ts'
import type { Answer } from './dataset.ts'
import { applyDetailFlags, detailBody, selectDetail } from './details/detail-answer.ts'
import { detailDataset } from './details/detail-dataset.ts'
import { nestedDetailBody } from './details/detail-tables.ts'
import { newestRows } from './record/newest-rows.ts'
import { tickersOf } from './tickers/tickers-answer.ts'

const COIN_DETAILS = nestedDetailBody({
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
    // [] would mean that the coin has no tickers, but the warehouse may just not export them.
    if (params['tickers'] !== 'false' && tickers.length > 0) {
      body['tickers'] = tickersOf(tickers, tickers[0], {})
    }
    return body
  },
}

export const coinDetails = detailDataset(COIN_DETAILS, {
  name: 'coin_details',
  description:
    'All that the source tells of one coin, in every currency and language, once per `every`.',
  operation: 'coins/{id}',
  idsOf: (entity) => ({ coin_id: entity }),
  params: ({ entity: id }) => ({
    id,
    localization: 'true',
    tickers: 'false',
    include_categories_details: 'true',
  }),
  entity: 'coin',
  leftOut: [
    {
      path: '$.tickers',
      reason: 'coinlake asks for no tickers here, because coin_tickers holds the whole list.',
    },
  ],
  answer,
})
