import { Context } from '@temporalio/activity'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { StoreDeps } from '../../activities/activity-deps.ts'
import { createStoreActivities } from '../../activities/create-activities.ts'
import { reportIfBroken, type RunEvent } from '../../activities/run-events.ts'
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
  const run = { runId: 'r1', schedule: 'hourly', orderId: 'o1' }
  const observe = (event: RunEvent): void => void events.push(event)
  await expect(reportIfBroken(observe, run, () => Promise.reject(error))).rejects.toThrow('full')
  const told = { kind: 'broken', runId: 'r1', schedule: 'hourly', orderId: 'o1', code: 'FULL' }
  expect(events).toMatchObject(isTold ? [{ ...told, hint: FULL.hint }] : [])
})

test('an observer that fails has its activity tried again, because its work is done', async () => {
  const info = { attempt: 1, workflowExecution: { workflowId: 'export/w1' } }
  const context = vi.spyOn(Context, 'current').mockReturnValue({
    info,
    heartbeat: () => undefined,
    cancellationSignal: new AbortController().signal,
  } as unknown as Context)
  onTestFinished(() => context.mockRestore())
  const observer = (): never => {
    throw new SinkError('the alert cannot be kept', { code: 'ALERT_NOT_KEPT', hint: '' })
  }
  const deps = { publications: [], coinlakeVersion: '0' } as unknown as StoreDeps
  const activities = createStoreActivities(deps, observer)
  await expect(activities.publishRun({ runId: 'r1' })).rejects.toMatchObject({
    type: 'ALERT_NOT_KEPT',
    nonRetryable: false,
  })
})
