import { singleStep } from './request/single-step.ts'
import { TICKER_FIELDS } from './tickers/exchange-ticker-fields.ts'
import { nestedParts } from './record/nested-body.ts'
import { SourceDataError } from '../api/errors.ts'
import { canonicalAddress } from '../config/values/token-ref.ts'
import { CONTRACT_ADDRESS, PLATFORM_ID } from './table/common-columns.ts'
import type { Answer, Dataset } from './dataset.ts'
import { detailBody, selectDetail } from './details/detail-answer.ts'
import { ROWS_PER_DETAIL, nestedDetailBody } from './details/detail-tables.ts'
import { isObject } from './record/read-record.ts'
import { readNested } from './record/read-nested.ts'
import { tokenOf } from './request/token-entity.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

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

export const tokenDetails: Dataset = {
  name: 'token_details',
  description: 'All that the source tells of the coin of one contract, once per `every`.',
  kind: 'snapshot',
  operations: ['coins/{id}/contract/{contract_address}'],
  tables: [TOKEN_DETAILS.parent, ...TOKEN_DETAILS.children.map(({ spec }) => spec)],
  entity: 'token',
  rowsPerSlice: ROWS_PER_DETAIL,
  ...WITHOUT_SERIES,
  leftOut: [
    {
      path: '$.tickers',
      reason:
        'coin_tickers holds the whole list, by the coin_id of this row. The operation always sends the first 100.',
    },
  ],
  steps: (slice) => {
    const { platformId, contractAddress } = tokenOf(slice.entity)
    return [
      singleStep('coins/{id}/contract/{contract_address}', {
        id: platformId,
        contract_address: contractAddress,
      }),
    ]
  },
  toTables: (body, { slice, observedAtMs }) => {
    if (!isObject(body)) throw new SourceDataError('$ is no object')
    if (typeof body['id'] !== 'string') throw new SourceDataError('$.id is no text')
    const { platformId, contractAddress } = tokenOf(slice.entity)
    return readNested(TOKEN_DETAILS, body, {
      platform_id: platformId,
      contract_address: contractAddress,
      observed_at: observedAtMs,
      observed_date: observedAtMs,
    })
  },
  answers: { 'coins/{id}/contract/{contract_address}': answer },
  bodies: {
    'coins/{id}/contract/{contract_address}': [
      ...nestedParts(TOKEN_DETAILS),
      { at: '$.tickers[*]', fields: TICKER_FIELDS },
    ],
  },
}
