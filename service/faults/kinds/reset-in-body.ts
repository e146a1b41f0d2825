import { faultKind } from '../fault-kind.ts'

/** Good headers with the length of the whole, half of the body, and a reset. */
export const resetInBody = faultKind({
  name: 'reset_in_body',
  place: 'transport',
  about: 'the connection is reset after half of the body',
  spoil: () => ({ reset: 'in_body' }),
})
