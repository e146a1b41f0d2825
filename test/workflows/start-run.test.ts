import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { WorkflowFailedError } from '@temporalio/client'
import { runFailed } from '../../cli/run/follow-run.ts'
import { retireForeignRun } from '../../cli/run/start-run.ts'
import { cancelUpdate } from '../../workflows/messages.ts'
import { benchUnderTest } from './bench-under-test.ts'
import { staged } from './fake-warehouse.ts'

const slowBench = (): ReturnType<typeof benchUnderTest> =>
  benchUnderTest({
    slices: 400,
    answer: async () => {
      await sleep(30)
      return staged
    },
  })

test('the same order attaches to the open run; another one is refused with what to do', async () => {
  const { bench } = await slowBench()
  const first = await bench.start()
  expect(first.isAttached).toBe(false)
  const second = await bench.start()
  expect(second).toMatchObject({ isAttached: true, runId: first.runId })
  await expect(bench.start({ orderId: 'order-2' })).rejects.toMatchObject({
    code: 'RUN_IN_PROGRESS',
    exitCode: 6,
    message: expect.stringContaining(first.runId) as string,
    hint: expect.stringContaining('coinlake cancel') as string,
  })
  await second.handle.executeUpdate(cancelUpdate)
  expect(await first.handle.result()).toMatchObject({ runId: first.runId, verdict: 'cancelled' })
  const third = await bench.start({ orderId: 'order-2' })
  expect(third.isAttached).toBe(false)
  await third.handle.executeUpdate(cancelUpdate)
  await third.handle.result()
})

test('a run that other workflow code has begun is ended and begun anew', async () => {
  const { warehouse, bench } = await slowBench()
  const first = await bench.start({ workflowsId: 'code-1' })
  await vi.waitFor(() => expect(warehouse.asks.length).toBeGreaterThan(5), { timeout: 30_000 })
  const second = await bench.start({ workflowsId: 'code-2' })
  expect(second.isAttached).toBe(false)
  expect(second.runId).not.toBe(first.runId)
  await second.handle.executeUpdate(cancelUpdate)
  expect(await second.handle.result()).toMatchObject({ runId: second.runId })
})

test("a schedule's window that other workflow code has begun ends with its run, or none would follow", async () => {
  const { warehouse, bench } = await slowBench()
  const window = await bench.startWindow('hourly')
  await vi.waitFor(() => expect(warehouse.asks.length).toBeGreaterThan(5), { timeout: 30_000 })
  const runId = `${bench.workflowId}/hourly`
  const statusOf = async (workflowId: string): Promise<string> =>
    (await bench.client.workflow.getHandle(workflowId).describe()).status.name
  // The fake warehouse names no code, so that of the window is its own.
  expect(await retireForeignRun(bench.client, runId, '')).toBe(false)
  expect(await statusOf(window.workflowId)).toBe('RUNNING')
  expect(await retireForeignRun(bench.client, runId, 'code-2')).toBe(true)
  expect(await statusOf(window.workflowId)).toBe('TERMINATED')
  // A follower that went on would end the other code's next run in turn.
  const ended = await bench.client.workflow
    .getHandle(runId)
    .result()
    .catch((error: unknown) => error)
  expect(runFailed(ended as WorkflowFailedError).code).toBe('RUN_LOST')
  await expect.poll(() => statusOf(runId)).toBe('TERMINATED')
  expect(await retireForeignRun(bench.client, runId, 'code-2')).toBe(false)
})
