import { planRefusal } from '../../plan-limits.ts'
import { faultKind } from '../fault-kind.ts'
import { numberOption } from '../fault-options.ts'
import { refused } from '../refused.ts'

const MAX_DAYS = 100_000

/** Told with the code of the one provider whose words are known: without it, it is a refused key. */
export const planReach = faultKind({
  name: 'plan_reach',
  place: 'state',
  scope: 'service',
  about: 'what lies further back than `days` is refused: 401 with the code 10012',
  shape: {
    days: numberOption('how far back the plan reaches', { min: 0, max: MAX_DAYS, fallback: 365 }),
  },
  spoil(meeting, { days }) {
    const { profile, operation, params, nowMs } = meeting
    const refusal = planRefusal({ ...profile, maxHistoryDays: days }, operation.id, params, nowMs)
    return refusal === null ? null : refused(meeting, refusal, 'coded')
  },
})
