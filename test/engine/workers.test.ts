import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { leaseServer, runningServer, stopServer } from '../../engine/lease-server.ts'
import { describeQueue, setQueueCap } from '../../engine/set-queue-cap.ts'
import { EMPTY_PAGE, engineUnderTest, loadActivities } from './fixtures/engine-under-test.ts'
import { tempDir } from '../parts/temp-dir.ts'

const CAP_PER_SECOND = 5
const WINDOW_MS = 3_000
/** Measured: `rate + 2` starts at once when the queue was idle, then the exact rate. */
const BURST = CAP_PER_SECOND + 2

function mostWithin(timesMs: number[], windowMs: number): number {
  return Math.max(
    ...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + windowMs).length),
  )
}

test('a capped queue paces its starts, over two workers, and nothing goes past it', async () => {
  const { engine, client, queues, start, connectNative, logged, workflowId } =
    await engineUnderTest()
  const queue = { ...engine, taskQueue: queues.fetch }
  await setQueueCap(queue, CAP_PER_SECOND, 'test')
  const startsMs: number[] = []
  const fetchUniverse = () => {
    startsMs.push(performance.now())
    return Promise.resolve(EMPTY_PAGE)
  }
  const fetch = { fetchUniverse, fetchPage: () => Promise.resolve(EMPTY_PAGE) }
  await start({ activities: { fetch } })
  const nativeConnection = await connectNative()
  await start({ activities: { fetch }, roles: ['fetch'], nativeConnection })
  const handle = await client.workflow.start('wave', {
    workflowId,
    taskQueue: queues.workflows,
    args: [{ fetchQueue: queues.fetch, count: 30 }],
  })
  await vi.waitFor(() => expect(startsMs.length).toBeGreaterThan(0), { timeout: 20_000 })
  await sleep(WINDOW_MS)
  expect(startsMs.length).toBeGreaterThanOrEqual((CAP_PER_SECOND * WINDOW_MS) / 1000 - 1)
  expect(mostWithin(startsMs, WINDOW_MS)).toBeLessThanOrEqual(
    (CAP_PER_SECOND * WINDOW_MS) / 1000 + BURST,
  )
  const state = await describeQueue(queue)
  expect(state.callsPerSecond).toBe(CAP_PER_SECOND)
  expect(state.backlog).toBeGreaterThan(0)
  expect(state.backlogByPriority[3]).toBe(state.backlog)

  await setQueueCap(queue, 0, 'pause')
  await sleep(1_000)
  const paused = startsMs.length
  await sleep(1_000)
  expect(startsMs.length).toBe(paused)

  await setQueueCap(queue, null, 'no cap')
  expect((await describeQueue(queue)).callsPerSecond).toBeNull()
  expect(await handle.result()).toBe(30)
  expect(startsMs.length).toBe(30)
  expect(logged).toEqual([])
})

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
  const fetchUniverse = (input: { page: number }) => {
    pages.push(input.page)
    return Promise.resolve(EMPTY_PAGE)
  }
  const fetch = { fetchUniverse, fetchPage: () => Promise.resolve(EMPTY_PAGE) }
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
    const queues = { workflows: 'w', control: 'quiet-control', fetch: 'f', load: 'l' }
    const workers = await startWorkers({ nativeConnection, namespace: 'default', queues, roles: ['control'],
      activities: { control: { setCap: async () => {} } }, concurrency: 1, lostAfterMs: 10_000 })
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
