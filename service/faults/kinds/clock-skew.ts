import { DAY_MS } from '../../../api/granularity.ts'
import { faultKind } from '../fault-kind.ts'
import { numberOption } from '../fault-options.ts'

/** What the service says of the time is wrong; what it knows is right. */
export const clockSkew = faultKind({
  name: 'clock_skew',
  place: 'state',
  scope: 'service',
  about: 'the Date header and the time of the reset are off',
  isAmbient: true,
  shape: {
    skew_ms: numberOption('how far the clock is ahead; negative = behind', {
      min: -DAY_MS,
      max: DAY_MS,
      fallback: 90_000,
    }),
  },
  spoil: (_, options) => ({ skewMs: options.skew_ms }),
})
