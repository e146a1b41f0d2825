import { faultKind } from '../fault-kind.ts'
import { refused } from '../refused.ts'

/** The key was good until now. */
export const keyRevoked = faultKind({
  name: 'key_revoked',
  place: 'state',
  scope: 'service',
  about: 'every key is refused with 401; it costs no call',
  spoil: (meeting) => ({ ...refused(meeting, { kind: 'no_key' }), isFree: true }),
})
