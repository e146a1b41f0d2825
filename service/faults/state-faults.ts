import { DAY_MS } from '../../config/values/duration.ts'
import { planRefusal } from '../plan-limits.ts'
import { parseQuotaText, quotaSchema } from '../callers/quotas.ts'
import { faultKind, faultsOf } from './fault-kind.ts'
import { numberOption } from './fault-options.ts'
import { refused } from './bad-answers.ts'

const MAX_DAYS = 100_000

export const stateFaults = faultsOf('state', {
  /** The keys were good before. */
  key_revoked: faultKind({
    scope: 'service',
    about: 'every key is refused with 401; it costs no call',
    spoil: (context) => ({ ...refused(context, { kind: 'no_key' }), isFree: true }),
  }),
  /** With code 10012: a 401 without a code looks like a refused key. */
  plan_reach: faultKind({
    scope: 'service',
    about: 'a request further back than `days` is refused: 401 with the code 10012',
    shape: {
      days: numberOption('how far back the plan reaches', { min: 0, max: MAX_DAYS, fallback: 365 }),
    },
    spoil(context, { days }) {
      const { profile, operation, params, nowMs } = context
      const refusal = planRefusal({ ...profile, maxHistoryDays: days }, operation.id, params, nowMs)
      return refusal === null ? null : refused(context, refusal, 'coded')
    },
  }),
  /** The service sends a wrong time, but works with the right one. */
  clock_skew: faultKind({
    scope: 'service',
    about: 'the Date header and the time of the reset are wrong',
    isAmbient: true,
    shape: {
      skew_ms: numberOption('how far the clock is ahead; negative = behind', {
        min: -DAY_MS,
        max: DAY_MS,
        fallback: 90_000,
      }),
    },
    spoil: (_, options) => ({ skewMs: options.skew_ms }),
  }),
  /** The provider changes the limit of the plan, but not of keys with their own limit. */
  limit_change: faultKind({
    scope: 'service',
    about: 'a new limit holds from the next call on, in a new window; use it with `after`',
    isAmbient: true,
    defaultTimes: 1,
    shape: {
      limit: quotaSchema.default('30/1m').describe('calls and window'),
    },
    spoil: (_, { limit }) => ({ limit: parseQuotaText(limit)! }),
  }),
})
