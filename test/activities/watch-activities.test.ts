import { Context } from '@temporalio/activity'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toApplicationFailure } from '../../activities/activity-failure.ts'
import type { StoreActivities } from '../../activities/activity-types.ts'
import type { RunEvent } from '../../activities/run-events.ts'
import { watchStore } from '../../activities/watch-activities.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { StageUnreachableError } from '../../stage/stage-error.ts'

const FULL = { code: 'FULL', hint: 'Make room.' }
const LAST = 20

test.for([
  { what: 'a fault for good', error: new SinkError('full', FULL), attempt: 1, isTold: true },
  {
    what: 'a fault to try again',
    error: new StageUnreachableError('full', FULL),
    attempt: 1,
    isTold: false,
  },
  {
    what: 'the last try',
    error: new StageUnreachableError('full', FULL),
    attempt: LAST,
    isTold: true,
  },
])('of a window that cannot begin $what is told: $isTold', async ({ error, attempt, isTold }) => {
  const info = { attempt, retryPolicy: { maximumAttempts: LAST } }
  const context = vi.spyOn(Context, 'current').mockReturnValue({ info } as unknown as Context)
  onTestFinished(() => context.mockRestore())
  const events: RunEvent[] = []
  const failing = {
    openWindow: () => Promise.reject(toApplicationFailure(error)),
  } as unknown as StoreActivities
  const watched = watchStore(failing, (event) => void events.push(event))
  const window = { schedule: 'hourly', templateId: 'o1', windowMs: 0, waitedMs: 0 }
  await expect(watched.openWindow({ runId: 'r1', ...window })).rejects.toThrow('full')
  const told = { kind: 'broken', runId: 'r1', schedule: 'hourly', orderId: 'o1', code: 'FULL' }
  expect(events).toMatchObject(isTold ? [{ ...told, hint: FULL.hint }] : [])
})
