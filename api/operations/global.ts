import { z } from 'zod'
import { operation } from './describe-operation.ts'
import { ENTRIES } from './response-shapes.ts'

export const GLOBAL_OPERATIONS = [
  operation({
    id: 'global',
    summary: 'Market cap, volume and shares of the whole market.',
    params: [],
    response: z.object({ data: ENTRIES }),
    cacheAgeS: 600,
  }),
  /** Most values are decimal strings of many digits. */
  operation({
    id: 'global/decentralized_finance_defi',
    summary: 'Market cap, volume and dominance of decentralized finance.',
    params: [],
    response: z.object({ data: ENTRIES }),
    cacheAgeS: 3_600,
  }),
] as const
