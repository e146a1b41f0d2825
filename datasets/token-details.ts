import { CONTRACT_ADDRESS, PLATFORM_ID } from './table/common-columns.ts'
import type { Answer } from './dataset.ts'
import { detailBody, selectDetail } from './details/detail-answer.ts'
import { detailDataset } from './details/detail-dataset.ts'
import { nestedDetailBody } from './details/detail-tables.ts'
import { askedTokenColumns, tokenParams } from './request/token-entity.ts'

/** Not the tables of coin_details: the source caches each answer separately, so one second may have two values. */
const TOKEN_DETAILS = nestedDetailBody({
  table: 'token_details',
  prefix: 'token_detail_',
  subject: 'token',
  ids: [PLATFORM_ID, CONTRACT_ADDRESS],
  platformPrefix: 'deployment_',
})

const answer: Answer = {
  select: (params, nowMs) => selectDetail(TOKEN_DETAILS, askedTokenColumns(params), nowMs),
  toBody: (rows) => detailBody(TOKEN_DETAILS, rows),
}

export const tokenDetails = detailDataset(TOKEN_DETAILS, {
  name: 'token_details',
  description: 'All that the source tells of the coin of one contract, once per `every`.',
  operation: 'coins/{id}/contract/{contract_address}',
  idsOf: (entity) => askedTokenColumns(tokenParams(entity)),
  params: ({ entity }) => tokenParams(entity),
  entity: 'token',
  leftOut: [
    {
      path: '$.tickers',
      reason:
        'coin_tickers holds the whole list, by the coin_id of this row. The operation always sends the first 100.',
    },
  ],
  answer,
})
