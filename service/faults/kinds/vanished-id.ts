import { faultKind } from '../fault-kind.ts'
import { refused } from '../refused.ts'

/** What was known is not found any more, whatever is asked of it, and does not come back. */
export const vanishedId = faultKind({
  name: 'vanished_id',
  place: 'body',
  scope: 'entity',
  about: 'the id in the path is not found any more: 404 for good',
  spoil(meeting) {
    const { subject, params } = meeting.operation
    const hasId = params.some((param) => param.in === 'path')
    return subject === null || !hasId ? null : refused(meeting, { kind: 'not_found', subject })
  },
})
