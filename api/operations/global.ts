import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { ENTRIES } from './rows.ts'

/** The whole market in numbers. */
export const global: Operation = {
  id: 'global',
  summary: 'Market cap, volume and shares of the whole market.',
  subject: null,
  params: [],
  response: z.object({ data: ENTRIES }),
  paging: { kind: 'none' },
  cacheAgeS: 600,
}

/** Decentralized finance in numbers; most of them decimal strings of many digits. */
export const globalDefi: Operation = {
  id: 'global/decentralized_finance_defi',
  summary: 'Market cap, volume and dominance of decentralized finance.',
  subject: null,
  params: [],
  response: z.object({ data: ENTRIES }),
  paging: { kind: 'none' },
  cacheAgeS: 3_600,
}
