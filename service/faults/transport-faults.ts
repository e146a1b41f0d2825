import { faultKind, faultsOf } from './fault-kind.ts'
import { numberOption, waitOption } from './fault-options.ts'
import { htmlPage, refused, THROTTLE_SHAPE, throttled } from './bad-answers.ts'
import { STATUS_CODES } from 'node:http'

const USUAL = [500, 502, 503, 504] as const

export const transportFaults = faultsOf('transport', {
  rate_status: faultKind({
    about: 'status 429 although calls are left; it costs no call',
    shape: THROTTLE_SHAPE,
    spoil: (context, options) => throttled(context, options),
  }),
  rate_body: faultKind({
    about: 'status 200 with the error code 429 in the body; it costs no call',
    shape: THROTTLE_SHAPE,
    spoil: (context, options) => ({ ...throttled(context, options, 'coded'), status: 200 }),
  }),
  /** The call counts. */
  server_error: faultKind({
    about: 'status 500 with an error body, or 502, 503, 504 with a page of a gateway',
    shape: {
      status: numberOption('the status; 0 draws one of 500, 502, 503, 504', {
        min: 0,
        max: 599,
        fallback: 0,
      }).refine((status) => status === 0 || status >= 500, 'expected 0, or from 500 to 599'),
    },
    spoil(context, options) {
      const status = options.status || USUAL[Math.floor(context.draw('status') * USUAL.length)]!
      if (status === 500) return refused(context, { kind: 'fault' })
      return { status, ...htmlPage(`${status} ${STATUS_CODES[status] ?? 'Server Error'}`) }
    },
  }),
  slow_first_byte: faultKind({
    about: 'the good answer, late',
    shape: { wait_ms: waitOption('how late', 2_000) },
    spoil: (_, options) => ({ waitMs: options.wait_ms }),
  }),
  /** A patient caller gets the rest of the body. */
  stalled_body: faultKind({
    about: 'half of the body, then silence, then the rest',
    shape: { wait_ms: waitOption('how long the silence is', 45_000) },
    spoil: (_, options) => ({ stallMs: options.wait_ms }),
  }),
  reset: faultKind({
    about: 'the connection is reset before the first byte; the log says status 0',
    spoil: () => ({ reset: 'before' }),
  }),
  /** The headers are good and announce the whole body. */
  reset_in_body: faultKind({
    about: 'the connection is reset after half of the body',
    spoil: () => ({ reset: 'in_body' }),
  }),
})
