import { faultKind } from '../fault-kind.ts'

/** No answer at all. The log has status 0 for it. */
export const reset = faultKind({
  name: 'reset',
  place: 'transport',
  about: 'the connection is reset before the first byte; the log says status 0',
  spoil: () => ({ reset: 'before' }),
})
