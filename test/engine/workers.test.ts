import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Worker as Thread } from 'node:worker_threads'
import type { WorkflowFailedError } from '@temporalio/client'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { NOT_REPLAYED, runFailed } from '../../cli/run/follow-run.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { engineUnderTest, storeActivities } from './fixtures/engine-under-test.ts'

test('loads run one at a time; shutdown lets the running one finish and takes no other', async () => {
  const { client, queues, start, workflowId } = await engineUnderTest()
  let running = 0
  let most = 0
  let done = 0
  const load = storeActivities(async () => {
    running += 1
    most = Math.max(most, running)
    await sleep(400)
    running -= 1
    done += 1
  })
  const workers = await start({ roles: ['workflows', 'load'], activities: { load } })
  const handle = await client.workflow.start('loads', {
    workflowId,
    taskQueue: queues.workflows,
    args: [{ loadQueue: queues.load, count: 5 }],
  })
  await vi.waitFor(() => expect([done, running]).toEqual([2, 1]), { timeout: 20_000, interval: 10 })
  await workers.shutdown()
  await workers.run
  expect(running).toBe(0)
  expect(done).toBeLessThanOrEqual(4)
  await start({ roles: ['workflows', 'load'], activities: { load } })
  expect(await handle.result()).toBe(5)
  expect([most, done]).toEqual([1, 5])
})

test('workers of one set run their workflows in one thread, which ends with the last of them', async () => {
  const threads: Thread[] = []
  const onThread = (thread: Thread): void => void threads.push(thread)
  process.on('worker', onThread)
  onTestFinished(() => void process.off('worker', onThread))
  const { start } = await engineUnderTest()
  const bundle = await workflowBundle({ env: process.env })
  const workers = await start({ roles: ['workflows', 'budget'], workflowBundle: bundle })
  expect(threads).toHaveLength(1)
  const ends = once(threads[0]!, 'exit')
  await workers.shutdown()
  await ends
})

test('stdout stays clean while workers run', () => {
  const script = `
    import { startWorkers } from './engine/workers.ts'
    import { connectEngine } from './engine/connect.ts'
    const engine = await connectEngine({ env: process.env })
    const nativeConnection = await engine.connectNative(() => {})
    const queues = { workflows: 'w', fetch: 'quiet-fetch', load: 'l' }
    const workers = await startWorkers({ nativeConnection, namespace: 'default', queues, roles: ['fetch'],
      activities: { fetch: { fetchBatch: async () => {} } }, maxBatches: 1, lostAfterMs: 10_000 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await workers.shutdown()
    await nativeConnection.close()
    await engine.close()`

  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env: { ...process.env, TEMPORAL_ADDRESS: inject('temporal').address }, encoding: 'utf8' },
  )
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 })
})

test('a run whose history cannot be replayed fails, so that another can go on', async () => {
  const { client, queues, start, workflowId } = await engineUnderTest()
  const bundleOf = (name: string) => {
    const entry = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
    return workflowBundle({ env: process.env, entry })
  }
  const workers = await start({
    roles: ['workflows'],
    workflowBundle: await bundleOf('timed-export.ts'),
  })
  const handle = await client.workflow.start('exportWarehouse', {
    workflowId,
    taskQueue: queues.workflows,
  })
  await expect.poll(async () => (await handle.describe()).historyLength).toBeGreaterThan(4)
  await workers.shutdown()
  await start({ roles: ['workflows'], workflowBundle: await bundleOf('untimed-export.ts') })
  const error = await handle.result().catch((failure: unknown) => failure)
  expect(runFailed(error as WorkflowFailedError).code).toBe(NOT_REPLAYED)
})
