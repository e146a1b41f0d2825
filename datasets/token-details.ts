import { TICKER_FIELDS } from './tickers/exchange-ticker-fields.ts'
import { nestedParts } from './record/nested-body.ts'
import { canonicalAddress } from '../config/values/token-ref.ts'
import { CONTRACT_ADDRESS, PLATFORM_ID } from './table/common-columns.ts'
import type { Answer } from './dataset.ts'
import { detailBody, selectDetail } from './details/detail-answer.ts'
import { ROWS_PER_DETAIL, nestedDetailBody } from './details/detail-tables.ts'
import { bodyWithText } from './record/envelope.ts'
import { readNested } from './record/read-nested.ts'
import { tokenOf } from './request/token-entity.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'

/**
 * The details of the coin of a contract: the tables of coin_details, keyed by platform and address. They are separate,
 * because the source caches the two answers separately. One key of coin and second could have two values.
 */
export const TOKEN_DETAILS = nestedDetailBody({
  table: 'token_details',
  prefix: 'token_detail_',
  subject: 'token',
  ids: [PLATFORM_ID, CONTRACT_ADDRESS],
  platformPrefix: 'deployment_',
})

const answer: Answer = {
  select: (params, nowMs) => {
    const contract = canonicalAddress(params['contract_address'] ?? '')
    const equals = { platform_id: params['id'] ?? '', contract_address: contract }
    return selectDetail(TOKEN_DETAILS, equals, nowMs)
  },
  toBody: (rows) => detailBody(TOKEN_DETAILS, rows),
}

export const tokenDetails = snapshotDataset({
  name: 'token_details',
  description: 'All that the source tells of the coin of one contract, once per `every`.',
  operation: 'coins/{id}/contract/{contract_address}',
  params: ({ entity }) => {
    const { platformId, contractAddress } = tokenOf(entity)
    return { id: platformId, contract_address: contractAddress }
  },
  tables: [TOKEN_DETAILS.parent, ...TOKEN_DETAILS.children.map(({ spec }) => spec)],
  entity: 'token',
  rowsPerSlice: ROWS_PER_DETAIL,
  leftOut: [
    {
      path: '$.tickers',
      reason:
        'coin_tickers holds the whole list, by the coin_id of this row. The operation always sends the first 100.',
    },
  ],
  toTables: (body, context) => {
    const { platformId, contractAddress } = tokenOf(context.slice.entity)
    const ids = { platform_id: platformId, contract_address: contractAddress }
    return readNested(TOKEN_DETAILS, bodyWithText(body, 'id'), context, ids)
  },
  answer,
  parts: [...nestedParts(TOKEN_DETAILS), { at: '$.tickers[*]', fields: TICKER_FIELDS }],
})
