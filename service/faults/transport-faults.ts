import { faultKind, faultsOf } from './fault-kind.ts'
import { numberOption, waitOption } from './fault-options.ts'
import { htmlPage } from './html-page.ts'
import { refused } from './refused.ts'
import { THROTTLE_SHAPE, throttled } from './throttled.ts'
import { STATUS_CODES } from 'node:http'

const USUAL = [500, 502, 503, 504] as const

/** How an answer comes. */
export const transportFaults = faultsOf('transport', {
  /** "Too many requests" as services say it. */
  rate_status: faultKind({
    about: 'status 429, though calls are left; it costs none',
    shape: THROTTLE_SHAPE,
    spoil: (meeting, options) => throttled(meeting, options),
  }),
  /** "Too many requests" that only the body says (facts: error bodies with a good status). */
  rate_body: faultKind({
    about: 'status 200 with the error code 429 in the body; it costs no call',
    shape: THROTTLE_SHAPE,
    spoil: (meeting, options) => ({ ...throttled(meeting, options, 'coded'), status: 200 }),
  }),
  /** A fault behind the door: the call has been counted. 500 speaks JSON, the others are a gateway's page. */
  server_error: faultKind({
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
  }),
  /** A service that thinks. */
  slow_first_byte: faultKind({
    about: 'the good answer, late',
    shape: { wait_ms: waitOption('how late', 2_000) },
    spoil: (_, options) => ({ waitMs: options.wait_ms }),
  }),
  /** Headers and half of the body, then silence; who waits long enough gets the rest. */
  stalled_body: faultKind({
    about: 'half of the body, silence, and the rest after it',
    shape: { wait_ms: waitOption('how long the silence is', 45_000) },
    spoil: (_, options) => ({ stallMs: options.wait_ms }),
  }),
  /** No answer at all. The log has status 0 for it. */
  reset: faultKind({
    about: 'the connection is reset before the first byte; the log says status 0',
    spoil: () => ({ reset: 'before' }),
  }),
  /** Good headers with the length of the whole, half of the body, and a reset. */
  reset_in_body: faultKind({
    about: 'the connection is reset after half of the body',
    spoil: () => ({ reset: 'in_body' }),
  }),
})
