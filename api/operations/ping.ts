import { z } from 'zod'
import { operation } from './describe-operation.ts'

/** Providers differ in the key of the answer. */
export const ping = operation({
  id: 'ping',
  summary: 'Whether the service is up.',
  params: [],
  response: z.union([
    z.looseObject({ status: z.string() }),
    z.looseObject({ gecko_says: z.string() }),
  ]),
  cacheAgeS: 0,
})
