import { faultKind } from '../fault-kind.ts'
import { THROTTLE_SHAPE, throttled } from '../throttled.ts'

/** "Too many requests" that only the body says (facts: error bodies with a good status). */
export const rateBody = faultKind({
  name: 'rate_body',
  place: 'transport',
  about: 'status 200 with the error code 429 in the body; it costs no call',
  shape: THROTTLE_SHAPE,
  spoil: (meeting, options) => ({ ...throttled(meeting, options, 'coded'), status: 200 }),
})
