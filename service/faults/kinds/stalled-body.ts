import { faultKind } from '../fault-kind.ts'
import { waitOption } from '../fault-options.ts'

/** Headers and half of the body, then silence; who waits long enough gets the rest. */
export const stalledBody = faultKind({
  name: 'stalled_body',
  place: 'transport',
  about: 'half of the body, silence, and the rest after it',
  shape: { wait_ms: waitOption('how long the silence is', 45_000) },
  spoil: (_, options) => ({ stallMs: options.wait_ms }),
})
