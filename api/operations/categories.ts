import { operation } from './describe-operation.ts'
import { query, sorting } from './params.ts'
import { ROWS } from './response-shapes.ts'

export const CATEGORY_OPERATIONS = [
  /** The identifier is `category_id` here, and `id` in `coins/categories`. */
  operation({
    id: 'coins/categories/list',
    summary: 'All categories: identifier and name.',
    params: [],
    response: ROWS,
    cacheAgeS: 300,
  }),
  operation({
    id: 'coins/categories',
    summary: 'Categories with market cap, volume and movement.',
    params: [sorting('market_cap', 'name', 'market_cap_change_24h')],
    response: ROWS,
    cacheAgeS: 300,
  }),
  /** The ids stand in the coins' `platforms` and in paths of contracts. */
  operation({
    id: 'asset_platforms',
    summary: 'Blockchain platforms of tokens.',
    params: [query('filter', 'string', 'Only platforms of this kind.', { allowed: ['nft'] })],
    response: ROWS,
    cacheAgeS: 300,
  }),
] as const
