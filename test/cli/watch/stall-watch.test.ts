import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import proto from '@temporalio/proto'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Alert } from '../../../activities/alerts/alert.ts'
import { stateReporter } from '../../../activities/alerts/state-reporter.ts'
import { lookAtRuns } from '../../../cli/watch/look-at-runs.ts'
import type { RunMetrics } from '../../../cli/watch/run-metrics.ts'
import { type SeenRun, stallWatch, type Surroundings } from '../../../cli/watch/stall-watch.ts'
import { seenStalls, stallTeller } from '../../../cli/watch/tell-stalls.ts'
import { ALERT_EVENTS } from '../../../config/settings/watch-settings.ts'
import { parseConfig } from '../../../config/load-config.ts'
import { warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { datasets } from '../../../datasets/index.ts'
import { queueNames } from '../../../engine/queues.ts'
import { exportWorkflowId, noTotals, type RunProgress } from '../../../workflows/messages.ts'
import type { exportWarehouse } from '../../../workflows/export-warehouse.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { temporalClient } from '../../parts/temporal-client.ts'

const { CommandType } = proto.temporal.api.enums.v1
const MINUTE_MS = 60_000
const START_MS = Date.UTC(2026, 0, 15)
const IDLE: Surroundings = { waiting: 0, hasRoom: true }

function lookOf(facts: Partial<RunProgress> = {}, unpolled: string[] = []): SeenRun {
  const progress = { phase: 'fetching', paused: false, throttledUntilMs: 0, ...noTotals, ...facts }
  return { runId: 'r1', schedule: null, unpolled, progress: progress as RunProgress }
}

/** Looks each minute, and says at which minutes the run stood still, and why. */
function watched(at: (minute: number) => SeenRun, surroundings = IDLE, outcomes: string[] = []) {
  const watch = stallWatch()
  const found: string[] = []
  for (let minute = 0; minute <= 12; minute += 1) {
    for (const outcome of outcomes) {
      const facts = {
        dataset: 'coins',
        sliceId: 's',
        step: 0,
        page: 1,
        calls: 1,
        rows: 0,
        bytes: 0,
      }
      watch.note({ kind: 'page', runId: 'r1', outcome, durationMs: 1, ...facts })
    }
    const stalls = watch.stalled([at(minute)], surroundings, START_MS + minute * MINUTE_MS)
    for (const { code, since } of stalls) found.push(`${minute} ${code} ${since.slice(14, 16)}`)
  }
  return found
}

test('a run of which no page comes for five minutes stands still, until one comes', () => {
  const found = watched((minute) =>
    lookOf({ pages: minute < 3 ? minute : minute < 9 ? 2 : minute }),
  )
  expect(found).toEqual(['7 SOURCE_SILENT 02', '8 SOURCE_SILENT 02'])
})

test('a run that waits as told, is paused or publishes does not stand still', () => {
  const waitMs = START_MS + 6 * MINUTE_MS
  expect(watched(() => lookOf({ throttledUntilMs: waitMs }))).toEqual([
    '11 SOURCE_SILENT 06',
    '12 SOURCE_SILENT 06',
  ])
  expect(watched(() => lookOf({ paused: true }))).toEqual([])
  expect(watched(() => lookOf({ phase: 'publishing' }))).toEqual([])
})

test('a stall names its cause: a queue that nobody polls, no room, the source, the budget', () => {
  const still = () => lookOf()
  expect(watched(() => lookOf({}, ['coinlake.w.c.fetch']))[0]).toBe('1 QUEUE_NOT_POLLED 00')
  expect(watched(() => ({ ...lookOf(), progress: null, unpolled: ['q'] }))[0]).toBe(
    '1 QUEUE_NOT_POLLED 00',
  )
  expect(watched(still, { waiting: 3, hasRoom: false }, ['SOURCE_TIMEOUT'])[0]).toBe('5 NO_ROOM 00')
  expect(watched(still, { waiting: 3, hasRoom: true }, ['SOURCE_TIMEOUT'])[0]).toBe(
    '5 SOURCE_FAULT 00',
  )
  expect(watched(still, { waiting: 3, hasRoom: true }, ['SOURCE_TIMEOUT', 'page'])[0]).toBe(
    '5 NO_PERMIT 00',
  )
})

/** Workers that look at runs at the minute of `clock`, with all that they tell; the states they have told lie in `alerts`. */
function workers() {
  const stateDir = tempDir()
  const alerts: string[] = []
  const lines: string[] = []
  const said: string[] = []
  const sampleStalls = vi.fn()
  const clock = { minute: 0 }
  const tell = ({ event, subject, stalled }: Alert) => {
    alerts.push(`${clock.minute} ${event} ${subject} ${stalled?.code}`)
    return Promise.resolve()
  }
  const nowMs = () => START_MS + clock.minute * MINUTE_MS
  const worker = () => {
    const watch = stallWatch()
    const telling = stallTeller({
      log: pino({}, { write: (line: string) => void lines.push(line) }),
      say: (text) => said.push(text),
      metrics: { sampleStalls } as unknown as RunMetrics,
      states: stateReporter({ raise: tell }, ALERT_EVENTS, join(stateDir, 'alerts')),
      stateDir,
      place: () => ({ warehouse: '/lake', coinlakeVersion: '0', nowMs: nowMs() }),
    })
    return (looks: SeenRun[]) => telling(watch.stalled(looks, IDLE, nowMs()), watch.wentOn)
  }
  return { alerts, lines, said, sampleStalls, stateDir, clock, nowMs, worker }
}

const STALLED = '5 stalled stalled/r1 SOURCE_SILENT'

test('a stall is told once in log, terminal and alert, measured and shown by status; its end is told, too', async () => {
  const { alerts, clock, nowMs, stateDir, worker, ...told } = workers()
  const look = worker()
  for (; clock.minute <= 7; clock.minute += 1) await look([lookOf()])
  expect(told.lines.filter((line) => line.includes('"SOURCE_SILENT"'))).toHaveLength(1)
  expect(told.said).toEqual([
    expect.stringMatching(/^warning: run r1 stands still since 2026-01-15T00:00/),
  ])
  expect(told.sampleStalls).toHaveBeenLastCalledWith([7 * MINUTE_MS])
  expect(seenStalls(stateDir, nowMs())).toMatchObject([{ runId: 'r1', code: 'SOURCE_SILENT' }])
  // A killed worker leaves an old note behind, which is ignored.
  expect(seenStalls(stateDir, nowMs() + 10 * MINUTE_MS)).toEqual([])
  await look([lookOf({ pages: 1 })])
  expect(told.sampleStalls).toHaveBeenLastCalledWith([])
  expect(seenStalls(stateDir, nowMs())).toEqual([])
  expect(alerts).toEqual([STALLED, expect.stringMatching(/^8 recovered stalled\/r1 /)])
})

test('a restarted worker tells no stall again, and tells its end when it sees the run go on', async () => {
  const { alerts, clock, worker } = workers()
  const killed = worker()
  for (; clock.minute <= 6; clock.minute += 1) await killed([lookOf()])
  const next = worker()
  await next([{ ...lookOf(), progress: null }])
  for (; clock.minute <= 16; clock.minute += 1) await next([lookOf()])
  expect(alerts).toEqual([STALLED])
  await next([lookOf({ pages: 1 })])
  await next([lookOf({ pages: 2 })])
  expect(alerts.slice(1)).toEqual([expect.stringMatching(/^17 recovered stalled\/r1 /)])
})

test('the end of a stall is told, too, when its run ended while no worker looked', async () => {
  const { alerts, clock, worker } = workers()
  const killed = worker()
  for (; clock.minute <= 6; clock.minute += 1) await killed([lookOf()])
  await worker()([])
  expect(alerts).toEqual([STALLED, expect.stringMatching(/^7 recovered stalled\/r1 /)])
})

/** An open run that no worker has. */
async function openRunWithoutWorker() {
  const client = await temporalClient()
  const cwd = tempDir()
  const text =
    'source: { base_url: "http://127.0.0.1:9" }\nwarehouse: ./w\ndatasets: { coins: {} }\n'
  const config = parseConfig({ file: 'coinlake.yaml', env: {}, datasets, cwd }, text)
  const workflowsId = randomUUID().replaceAll('-', '')
  const queues = queueNames({ warehouseId: warehouseIdOf(config), workflowsId })
  const handle = await client.workflow.start<typeof exportWarehouse>('exportWarehouse', {
    workflowId: exportWorkflowId(warehouseIdOf(config)),
    taskQueue: queues.workflows,
    args: [] as never,
    memo: { runId: 'r1', orderId: 'o1', workflowsId },
  })
  onTestFinished(async () => void (await handle.terminate('the test is over')))
  return { client, config, queues }
}

test('of an open run whose queues nobody polls, all are named', async () => {
  const { client, config, queues } = await openRunWithoutWorker()
  expect(await lookAtRuns(client, config, { answerMs: 500 })).toEqual([
    { runId: 'r1', schedule: null, progress: null, unpolled: Object.values(queues) },
  ])
})

test('a queue whose work a worker has in hand is not named, however long ago the worker polled', async () => {
  const { client, config, queues } = await openRunWithoutWorker()
  const { namespace } = client.options
  const service = client.workflowService
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + 30_000, call)
  const { taskToken } = await within(() =>
    service.pollWorkflowTaskQueue({ namespace, taskQueue: { name: queues.workflows } }),
  )
  const timeout = { seconds: 60 as never }
  const scheduleActivityTaskCommandAttributes = {
    activityId: '1',
    activityType: { name: 'loadBatch' },
    taskQueue: { name: queues.load },
    scheduleToCloseTimeout: timeout,
  }
  const commandType = CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK
  await service.respondWorkflowTaskCompleted({
    namespace,
    taskToken,
    commands: [{ commandType, scheduleActivityTaskCommandAttributes }],
  })
  const look = async () => {
    const [found] = await lookAtRuns(client, config, { answerMs: 500, polledWithinMs: 0 })
    return found?.unpolled
  }
  expect(await look()).toEqual([queues.workflows, queues.fetch, queues.load])
  await within(() => service.pollActivityTaskQueue({ namespace, taskQueue: { name: queues.load } }))
  expect(await look()).toEqual([queues.workflows, queues.fetch])
})
