import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from '@temporalio/worker'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { lookAt, memoProgress, type OpenRun } from '../../cli/run/open-run.ts'
import { signsOfWorker } from '../../cli/run/signs-of-worker.ts'
import { lostAfterMs } from '../../engine/engine-env.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import type { WorkflowBench } from './workflow-bench.ts'
import { benchUnderTest } from './bench-under-test.ts'
import { staged } from './fake-warehouse.ts'

const LOST_AFTER_MS = 3_000
const WITHIN = { timeout: 30_000, interval: 20 }

/** How long each activity of a workflow may be silent, in ms, and the workflow itself between two tasks. */
async function silences(bench: WorkflowBench, workflowId: string): Promise<Record<string, number>> {
  const { events } = await bench.client.workflow.getHandle(workflowId).fetchHistory()
  const found: Record<string, number> = {}
  for (const event of events ?? []) {
    const activity = event.activityTaskScheduledEventAttributes
    const begun = event.workflowExecutionStartedEventAttributes
    const [name, limit] =
      activity == null
        ? ['workflow', begun?.workflowTaskTimeout]
        : [String(activity.activityType?.name), activity.heartbeatTimeout]
    if (limit != null) found[name] = Number(limit.seconds) * 1_000 + Number(limit.nanos) / 1e6
  }
  return found
}

test.for([
  { said: {}, ms: 10_000 },
  { said: { lostAfterMs: 4_000 }, ms: 4_000 },
])(
  'a run begun with $said misses a silent worker after $ms ms everywhere',
  async ({ said, ms }) => {
    const { bench } = await benchUnderTest({ slices: 3, ...said })
    const { handle } = await bench.start()
    expect(await handle.result()).toMatchObject({ verdict: 'complete' })
    const silent = await silences(bench, bench.workflowId)
    expect(silent).toMatchObject({
      workflow: ms,
      planRun: ms,
      fetchBatch: 0.6 * ms,
      loadSlices: ms,
    })
  },
)

test.for(['', 'soon', '0', '-5'])('%j says nothing: 10 s', (said) => {
  expect(lostAfterMs({ COINLAKE_ENGINE_LOST_AFTER_MS: said })).toBe(10_000)
})

/** A process with the workflows of this queue. */
async function workflowWorker(queue: string) {
  const script = fileURLToPath(new URL('workflow-worker.child.ts', import.meta.url))
  const args = [script, inject('temporal').address, queue, String(LOST_AFTER_MS)]
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void worker.kill('SIGKILL'))
  await once(worker.stdout, 'data')
  return worker
}

// A query that waited for a worker was given newer events than its task had, so the run went on otherwise than its history says.
test('a run that is looked at while its worker is killed goes on as its history says', async () => {
  const { bench } = await benchUnderTest({
    slices: 4,
    roles: ['fetch', 'load'],
    lostAfterMs: LOST_AFTER_MS,
    answer: ({ ordinal, before, atMs }) =>
      ordinal === 3 && before === 0 ? { kind: 'throttled', untilMs: atMs + 4_000 } : staged,
  })
  const killed = await workflowWorker(bench.queues.workflows)
  const { handle } = await bench.start()
  const isWaiting = async () => {
    const { memo, raw } = await handle.describe()
    expect(memoProgress(memo)).toMatchObject({ slicesLoaded: 3, throttled: 1 })
    expect(signsOfWorker(raw).isOwed).toBe(false)
  }
  await vi.waitFor(isWaiting, WITHIN)
  killed.kill('SIGKILL')
  const looks: (OpenRun | null)[] = []
  const timer = setInterval(() => {
    void lookAt(handle, null).then((look) => looks.push(look))
  }, 400)
  onTestFinished(() => clearInterval(timer))
  await vi.waitFor(() => expect(looks.at(-1)?.signs.isOwed).toBe(true), WITHIN)
  await workflowWorker(bench.queues.workflows)
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: 5 })
  const { codePath } = await workflowBundle({ env: process.env })
  const history = await handle.fetchHistory()
  await Worker.runReplayHistory({ workflowBundle: { codePath } }, history, bench.workflowId)
})
