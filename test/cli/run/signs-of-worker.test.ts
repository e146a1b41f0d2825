import { expect, test } from 'vitest'
import { signOf, signsOfWorker } from '../../../cli/run/signs-of-worker.ts'

type Description = Parameters<typeof signsOfWorker>[0]

const at = (second: number, nanos = 0) => ({ seconds: second as never, nanos })

test.each<[string, Description, boolean, number]>([
  ['nothing to do', {}, false, 0],
  ['a queued workflow task', { pendingWorkflowTask: { scheduledTime: at(9) } }, true, 0],
  ['one in hand', { pendingWorkflowTask: { startedTime: at(9) } }, true, 9_000],
  ['a queued activity', { pendingActivities: [{ scheduledTime: at(9) }] }, true, 0],
  ['a retry to come', { pendingActivities: [{ nextAttemptScheduleTime: at(99) }] }, false, 0],
  [
    'two in hand',
    {
      pendingActivities: [
        { lastStartedTime: at(5), lastHeartbeatTime: at(7, 500_000_000) },
        { lastStartedTime: at(6) },
      ],
    },
    true,
    7_500,
  ],
])('a run with %s', (_, description, isOwed, heardAtMs) => {
  expect(signsOfWorker(description)).toEqual({ isOwed, heardAtMs })
})

test.each([
  ['nothing is owed', { isOwed: false, heardAtMs: 0 }, 'idle'],
  ['a sign is newer than at the look before', { isOwed: true, heardAtMs: 1_001 }, 'heard'],
  ['no sign is newer', { isOwed: true, heardAtMs: 1_000 }, 'silent'],
  ['a task was given up', { isOwed: true, heardAtMs: 0 }, 'silent'],
])('where %s', (_, now, sign) => {
  expect(signOf(now, { isOwed: true, heardAtMs: 1_000 }, 100_000)).toBe(sign)
})

test.each([
  [99_001, 'heard'],
  [100_999, 'heard'],
  [99_000, 'silent'],
  [101_000, 'silent'],
])('at 100,000 ms by this clock one look with a sign at %i ms by the server: %s', (atMs, sign) => {
  const signs = { isOwed: true, heardAtMs: atMs }
  expect(signOf(signs, signs, 100_000)).toBe(sign)
})
