import { faultKind } from '../fault-kind.ts'
import { waitOption } from '../fault-options.ts'

/** A service that thinks. */
export const slowFirstByte = faultKind({
  name: 'slow_first_byte',
  place: 'transport',
  about: 'the good answer, late',
  shape: { wait_ms: waitOption('how late', 2_000) },
  spoil: (_, options) => ({ waitMs: options.wait_ms }),
})
