import { count, text, type RecordField, requiredText } from '../record/record-field.ts'

const RESULT_ID = requiredText(
  'id',
  'Id of the result, by its kind a coin_id, exchange_id, category_id or nft_id.',
  'result_id',
)
const NAME = text('name', 'Display name of the result.')
const API_SYMBOL = text('api_symbol', 'The id again; of coins only.')
const SYMBOL = text('symbol', 'Symbol of a coin or collection, upper case here. Not unique.')
const RANK = count(
  'market_cap_rank',
  null,
  'Rank of a coin by market cap from 1; NULL without one.',
)
const MARKET_TYPE = text('market_type', 'Kind of exchange: spot or futures; of exchanges only.')
const THUMB = text('thumb', 'URL of a small picture; not of categories.')
const LARGE = text('large', 'URL of a large picture; of coins and exchanges only.')

export const SEARCH_FIELDS: readonly RecordField[] = [
  RESULT_ID,
  NAME,
  API_SYMBOL,
  SYMBOL,
  RANK,
  MARKET_TYPE,
  THUMB,
  LARGE,
]

/** In the order of the source. */
export const SEARCH_LISTS = [
  {
    key: 'coins',
    kind: 'coin',
    countColumn: 'coin_count',
    fields: [RESULT_ID, NAME, API_SYMBOL, SYMBOL, RANK, THUMB, LARGE],
    isRequired: true,
  },
  {
    key: 'exchanges',
    kind: 'exchange',
    countColumn: 'exchange_count',
    fields: [RESULT_ID, NAME, MARKET_TYPE, THUMB, LARGE],
    isRequired: true,
  },
  {
    key: 'icos',
    kind: 'ico',
    countColumn: 'ico_count',
    // Empty in every recording. Their shape is unknown, so a missing id breaks no rule.
    fields: [{ ...RESULT_ID, whenMissing: '' }, NAME],
    isRequired: false,
  },
  {
    key: 'categories',
    kind: 'category',
    countColumn: 'category_count',
    fields: [RESULT_ID, NAME],
    isRequired: true,
  },
  {
    key: 'nfts',
    kind: 'nft',
    countColumn: 'nft_count',
    fields: [RESULT_ID, NAME, SYMBOL, THUMB],
    isRequired: false,
  },
] as const
