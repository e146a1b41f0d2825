import { z } from 'zod'
import type { Operation } from '../operation.ts'

/** Whether the service is up. Providers differ in the key of the answer: `status` or `gecko_says`. */
export const ping: Operation = {
  id: 'ping',
  summary: 'Whether the service is up.',
  subject: null,
  params: [],
  response: z.union([
    z.looseObject({ status: z.string() }),
    z.looseObject({ gecko_says: z.string() }),
  ]),
  paging: { kind: 'none' },
  cacheAgeS: 0,
}
