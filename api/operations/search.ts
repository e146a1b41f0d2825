import { z } from 'zod'
import { operation } from './describe-operation.ts'
import { query } from './params.ts'
import { ROWS } from './response-shapes.ts'

export const SEARCH_OPERATIONS = [
  /** Looks at name, symbol and id. Symbols come in upper case. */
  operation({
    id: 'search',
    summary: 'Coins, exchanges and categories that match a text.',
    params: [
      query('query', 'string', 'Text to look for; case does not matter.', {
        required: true,
        example: 'bit',
      }),
    ],
    response: z.object({ coins: ROWS, exchanges: ROWS, categories: ROWS }),
    cacheAgeS: 900,
  }),
  operation({
    id: 'search/trending',
    summary: 'The 7 trending coins of the last 24 hours.',
    params: [],
    unsupported: ['show_max'],
    response: z.object({ coins: ROWS }),
    cacheAgeS: 600,
  }),
] as const
