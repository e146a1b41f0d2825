import { faultKind } from '../fault-kind.ts'
import { THROTTLE_SHAPE, throttled } from '../throttled.ts'

/** "Too many requests" as services say it. */
export const rateStatus = faultKind({
  name: 'rate_status',
  place: 'transport',
  about: 'status 429, though calls are left; it costs none',
  shape: THROTTLE_SHAPE,
  spoil: (meeting, options) => throttled(meeting, options),
})
