import { canonicalAddress } from '../config/values/token-ref.ts'
import { CONTRACT_ADDRESS, PLATFORM_ID, VS_CURRENCY } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { Answer, Slice } from './dataset.ts'
import { csvValues } from './request/page-window.ts'
import { newestQuotes, quoteBody } from './quotes/quote-answer.ts'
import { CURRENCIES_PER_SLICE, QUOTE_COLUMNS, QUOTE_PARAMS } from './quotes/quote-fields.ts'
import { quoteTables } from './quotes/quote-tables.ts'
import { tokenOf } from './request/token-entity.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'

const TOKEN_PRICE_QUOTES = snapshotTable({
  name: 'token_price_quotes',
  description:
    'Latest price of chosen tokens by their contract, at one moment: one row per platform, contract, currency and observation. A token that the source does not know has no row here but one in _quarantine (rule not_in_answer); a currency that it does not know has a row without a price.',
  key: ['platform_id', 'contract_address', 'vs_currency', 'observed_at'],
  columns: [PLATFORM_ID, CONTRACT_ADDRESS, VS_CURRENCY, ...QUOTE_COLUMNS],
})

/** Most addresses that the smallest plan accepts. */
const ADDRESSES_PER_SLICE = 10

const answer: Answer = {
  select: (params, nowMs) => {
    const addresses = (csvValues(params['contract_addresses']) ?? []).map(canonicalAddress)
    const newest = newestQuotes(TOKEN_PRICE_QUOTES.name, CONTRACT_ADDRESS.name, addresses, nowMs)
    return [{ ...newest, equals: { platform_id: params['id'] ?? '' } }]
  },
  toBody: ([rows = []], params) => quoteBody(rows, CONTRACT_ADDRESS.name, [], params),
}

export const tokenPriceQuotes = snapshotDataset({
  name: 'token_price_quotes',
  description: 'Latest price, market cap and volume of chosen tokens, once per `every`.',
  operation: 'simple/token_price/{id}',
  params: (slice) => {
    const { platformId, addresses } = askedOf(slice)
    return {
      id: platformId,
      contract_addresses: addresses.join(','),
      vs_currencies: slice.vsCurrency,
      ...QUOTE_PARAMS,
    }
  },
  tables: [TOKEN_PRICE_QUOTES],
  entity: 'token',
  perCurrency: true,
  entitiesPerSlice: ADDRESSES_PER_SLICE,
  currenciesPerSlice: CURRENCIES_PER_SLICE,
  leftOut: [
    {
      path: '$.* (case of 0x-addresses)',
      reason:
        'The column has EVM addresses in lower case, so that tables can be joined. Their upper-case letters are only a checksum, which can be computed again.',
    },
  ],
  // One request can only ask for tokens of one platform.
  sliceGroup: (entity) => tokenOf(entity).platformId,
  toTables: (body, context) => {
    const { platformId, addresses } = askedOf(context.slice)
    return quoteTables(TOKEN_PRICE_QUOTES, body, context, {
      column: CONTRACT_ADDRESS.name,
      asked: addresses,
      idOf: canonicalAddress,
      comparedAs: (address) => address.toLowerCase(),
      constants: { platform_id: { constant: platformId } },
    })
  },
  answer,
})

function askedOf({ entity }: Slice): { platformId: string; addresses: string[] } {
  const tokens = entity.split(',').map(tokenOf)
  return {
    platformId: tokens[0]!.platformId,
    addresses: tokens.map(({ contractAddress }) => contractAddress),
  }
}
