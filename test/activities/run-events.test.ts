import { Context } from '@temporalio/activity'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { StoreDeps } from '../../activities/activity-deps.ts'
import { createStoreActivities } from '../../activities/create-activities.ts'
import { reportIfBroken, type RunEvent } from '../../activities/run-events.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { StageUnreachableError } from '../../stage/stage-error.ts'
import { loadBench, RUN } from './load-bench.ts'

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

/** Activities run as those of a run by hand, until the test ends. */
function runInContext(): void {
  const info = { attempt: 1, workflowExecution: { workflowId: 'export/w1' } }
  const context = vi.spyOn(Context, 'current').mockReturnValue({
    info,
    heartbeat: () => undefined,
    cancellationSignal: new AbortController().signal,
  } as unknown as Context)
  onTestFinished(() => context.mockRestore())
}

test('loads and failures name their slices, also in a process that did not plan them', async () => {
  runInContext()
  const { deps, plan, page } = await loadBench()
  const [usd, eur] = await plan(['usd', 'eur'])
  await page(usd!, 1)
  const events: RunEvent[] = []
  const activities = createStoreActivities(deps, (event) => void events.push(event))
  await activities.loadSlices({ runId: RUN, ordinals: [0, 1] })
  const failures = [{ ordinal: 1, code: 'STAGE_DAMAGED', reason: 'a flipped bit' }]
  await activities.failSlices({ runId: RUN, failures })
  expect(events).toMatchObject([
    { kind: 'loaded', slices: 1, sliceIds: [usd!.sliceId] },
    { kind: 'slice_failed', sliceId: eur!.sliceId, code: 'STAGE_DAMAGED' },
  ])
})

test('an observer that fails has its activity tried again, because its work is done', async () => {
  runInContext()
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
