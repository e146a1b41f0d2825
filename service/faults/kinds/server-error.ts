import { STATUS_CODES } from 'node:http'
import { faultKind } from '../fault-kind.ts'
import { numberOption } from '../fault-options.ts'
import { htmlPage } from '../html-page.ts'
import { refused } from '../refused.ts'

const USUAL = [500, 502, 503, 504] as const

/** A fault behind the door: the call has been counted. 500 speaks JSON, the others are a gateway's page. */
export const serverError = faultKind({
  name: 'server_error',
  place: 'transport',
  about: 'status 500 with an error body, or 502, 503, 504 with a page of a gateway',
  shape: {
    status: numberOption('the status; 0 draws one of 500, 502, 503, 504', {
      min: 0,
      max: 599,
      fallback: 0,
    }).refine((status) => status === 0 || status >= 500, {
      error: 'must be 0, or from 500 to 599',
    }),
  },
  spoil(meeting, options) {
    const status = options.status || USUAL[Math.floor(meeting.draw('status') * USUAL.length)]!
    if (status === 500) return refused(meeting, { kind: 'fault' })
    return { status, ...htmlPage(`${status} ${STATUS_CODES[status] ?? 'Server Error'}`) }
  },
})
