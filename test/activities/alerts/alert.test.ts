import { expect, test } from 'vitest'
import { alertOfBrokenRun, alertOfRun } from '../../../activities/alerts/alert.ts'
import { PARTIAL } from './sample-report.ts'

const ORIGIN = { warehouse: '/srv/lake', coinlakeVersion: '0', nowMs: 0 }

test('the text is plain whatever the source said, and the run has its words', () => {
  const reason =
    'HTTP 400: <!channel> <http://evil|here> [x](http://evil) `code` a|b & @here \u001b[2J\u202eexe\u0000\nforged'
  const alert = alertOfBrokenRun(
    {
      runId: 'r1',
      schedule: '',
      orderId: 'o',
      code: 'SOURCE_BAD_REQUEST',
      reason,
      hint: 'Mend it.',
    },
    ORIGIN,
  )
  expect(alert.text).toBe(
    'coinlake: run r1 of /srv/lake failed: SOURCE_BAD_REQUEST: ' +
      "HTTP 400: \u2039!channel\u203a \u2039http://evil/here\u203a (x)(http://evil) 'code' a/b + (at)here " +
      '\\u001b[2J\\u202eexe\\u0000\\nforged'.replace('[', '('),
  )
  expect(alert.run?.fatal?.reason).toBe(reason)
})

test.for([
  ['hourly', 'run/hourly'],
  ['', `run/${PARTIAL.orderId}`],
] as const)(
  'a run of "%s" that breaks and its next good run have one subject',
  ([schedule, subject]) => {
    const { runId, orderId } = PARTIAL
    const fault = { code: 'STORE_DISK_FULL', reason: 'full', hint: '' }
    expect(alertOfBrokenRun({ runId, schedule, orderId, ...fault }, ORIGIN).subject).toBe(subject)
    const good = alertOfRun({ ...PARTIAL, verdict: 'complete' }, schedule, ORIGIN)
    expect(good).toMatchObject({ event: 'recovered', subject })
  },
)

test('a complete run that left all its slices to another open run is no sign of recovery', () => {
  const left = { ...PARTIAL, leftToOthers: 3 }
  const nothing = { ...left.slices, loaded: 0, provisional: 0, empty: 0 }
  const eventOf = (report: typeof left) => alertOfRun(report, 'hourly', ORIGIN)?.event ?? null
  expect(eventOf({ ...left, verdict: 'complete', slices: nothing })).toBeNull()
  expect(eventOf({ ...left, verdict: 'complete' })).toBe('recovered')
  expect(eventOf(left)).toBe('partial')
})
