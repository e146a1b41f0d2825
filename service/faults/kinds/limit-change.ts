import { z } from 'zod'
import { parseQuotaText } from '../../quota-text.ts'
import { faultKind } from '../fault-kind.ts'

const error = 'must be calls and a window, such as 30/1m'

/** Another plan, or an emergency at the provider. Keys with a limit of their own keep it. */
export const limitChange = faultKind({
  name: 'limit_change',
  place: 'state',
  scope: 'service',
  about: 'from the next call on another limit holds, in a new window; use it with `after`',
  isAmbient: true,
  defaultTimes: 1,
  shape: {
    limit: z
      .string({ error })
      .refine((text) => parseQuotaText(text) !== null, { error })
      .default('30/1m')
      .describe('calls and window'),
  },
  spoil: (_, { limit }) => ({ limit: parseQuotaText(limit)! }),
})
