import { expect, test } from 'vitest'
import { lostAfterMs } from '../../engine/engine-env.ts'
import type { WorkflowBench } from './workflow-bench.ts'
import { benchUnderTest } from './bench-under-test.ts'

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
