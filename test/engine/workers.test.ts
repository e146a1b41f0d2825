import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker as Thread } from 'node:worker_threads'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { leaseServer, runningServer, stopServer } from '../../engine/server/lease-server.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { engineUnderTest, loadActivities, NOTHING, refuse } from './fixtures/engine-under-test.ts'
import { tempDir } from '../parts/temp-dir.ts'

test('loads run one at a time; shutdown lets the running one finish and takes no other', async () => {
  const { client, queues, start, workflowId } = await engineUnderTest()
  let running = 0
  let most = 0
  let done = 0
  const load = loadActivities(async () => {
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

test('a role without its parts is refused', async () => {
  const { start } = await engineUnderTest()
  await expect(start({ roles: ['load'] })).rejects.toThrow(/load .*without its parts/)
})

test('kill -9 of the server in mid-run: the same worker and client go on, each step once', async () => {
  const stateDir = tempDir()
  onTestFinished(async () => {
    await stopServer(stateDir)
  })
  const lease = await leaseServer({ stateDir, env: process.env, graceMs: 1_000 })
  onTestFinished(() => lease.release())
  const { client, queues, start, workflowId } = await engineUnderTest(lease.address)
  const pages: number[] = []
  const fetchUniverse = (input: { tries: number }) => {
    pages.push(input.tries)
    return Promise.resolve(NOTHING)
  }
  const fetch = { fetchUniverse, fetchBatch: refuse }
  await start({ activities: { fetch } })
  const handle = await client.workflow.start('steps', {
    workflowId,
    taskQueue: queues.workflows,
    args: [{ fetchQueue: queues.fetch, count: 120 }],
  })
  await vi.waitFor(() => expect(pages.length).toBeGreaterThan(20), { timeout: 20_000 })
  const before = runningServer(stateDir)
  process.kill(before?.server.pid ?? 0, 'SIGKILL')
  expect(pages.length).toBeLessThan(120)
  await vi.waitFor(
    () =>
      expect(runningServer(stateDir)?.server.pid).not.toBeOneOf([undefined, before?.server.pid]),
    { timeout: 20_000 },
  )
  expect(await handle.result()).toBe(120)
  expect(new Set(pages).size).toBe(120)
})

test('stdout stays clean while workers run', () => {
  const script = `
    import { startWorkers } from './engine/workers.ts'
    import { connectEngine } from './engine/connect.ts'
    const engine = await connectEngine({ env: process.env })
    const nativeConnection = await engine.connectNative(() => {})
    const queues = { workflows: 'w', fetch: 'quiet-fetch', load: 'l' }
    const workers = await startWorkers({ nativeConnection, namespace: 'default', queues, roles: ['fetch'],
      activities: { fetch: { fetchBatch: async () => {} } }, batches: 1, lostAfterMs: 10_000 })
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
