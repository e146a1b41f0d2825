import { randomUUID } from 'node:crypto'
import type { ScheduleDescription } from '@temporalio/client'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/values/duration.ts'
import type { ScheduleConfig } from '../../../config/settings/read-schedules.ts'
import type { ScheduleTimes } from '../../../config/schedule-windows.ts'
import {
  applySchedules,
  findSchedule,
  scheduleInputOf,
  scheduleNames,
} from '../../../engine/schedules/apply-schedules.ts'
import type { WantedSchedule } from '../../../engine/schedules/apply-schedules.ts'
import { watchSchedules } from '../../../engine/schedules/watch-schedules.ts'
import {
  beginMissedWindow,
  skippedUntilMs,
  newestDueMs,
} from '../../../engine/schedules/missed-window.ts'
import { otherRuns } from '../../../engine/schedules/other-runs.ts'
import { type MovedSchedule, moveSchedules } from '../../../engine/schedules/move-schedules.ts'
import type { QueueNames } from '../../../engine/queues.ts'
import { scheduleId } from '../../../workflows/sync-messages.ts'
import { temporalClient } from '../../parts/temporal-client.ts'

const client = await temporalClient(afterAll)

/** A warehouse of its own, whose schedules are gone when the test ends. */
function warehouse(): string {
  const id = randomUUID().slice(0, 12)
  onTestFinished(async () => {
    await applySchedules(client, id, [], true)
  })
  return id
}

function wanted(
  warehouseId: string,
  name: string,
  times: ScheduleTimes,
  more: Partial<ScheduleConfig> & {
    appliedFrom?: string
    definition?: string
    taskQueue?: string
  } = {},
): WantedSchedule {
  const {
    appliedFrom = 'host:/a/coinlake.yaml',
    definition = 'one',
    taskQueue = 'nobody',
    ...rest
  } = more
  const config: ScheduleConfig = {
    name,
    origin: 'coinlake.yaml:5',
    times,
    timeZone: 'UTC',
    jitterMs: 0,
    overlap: 'skip',
    catchUpMs: DAY_MS,
    isPausedOnFailure: false,
    datasets: null,
    ...rest,
  }
  const run = { queues: { fetch: 'nobody', load: 'nobody' } }
  const facts = { warehouseId, schedule: name, templateId: 'order', appliedFrom, definition, run }
  return { config, taskQueue, input: facts }
}

const HOURLY: ScheduleTimes = { kind: 'interval', everyMs: HOUR_MS, offsetMs: 5 * MINUTE_MS }

/** Changes by name. */
async function apply(
  warehouseId: string,
  all: readonly WantedSchedule[],
): Promise<Record<string, string>> {
  const changes = await applySchedules(client, warehouseId, all, false)
  return Object.fromEntries(changes.map(({ name, change }) => [name, change]))
}

test('what is applied twice is applied once; what is gone from the configuration is deleted', async () => {
  const id = warehouse()
  const hourly = wanted(id, 'hourly', HOURLY)
  const nightly = wanted(id, 'nightly', { kind: 'cron', cron: '0 6 * * *' })
  expect(await apply(id, [hourly, nightly])).toEqual({ hourly: 'created', nightly: 'created' })
  await expect.poll(() => scheduleNames(client, id)).toHaveLength(2)
  expect(await apply(id, [hourly, nightly])).toEqual({ hourly: 'unchanged', nightly: 'unchanged' })
  const changed = wanted(id, 'hourly', { ...HOURLY, everyMs: 2 * HOUR_MS }, { definition: 'two' })
  expect(await apply(id, [changed])).toEqual({ hourly: 'updated', nightly: 'deleted' })
  const found = await findSchedule(client, scheduleId(id, 'hourly'))
  expect(found && scheduleInputOf(found)).toMatchObject({ definition: 'two', schedule: 'hourly' })
  expect(found?.spec.intervals).toEqual([{ every: 2 * HOUR_MS, offset: 5 * MINUTE_MS }])
  expect(await findSchedule(client, scheduleId(id, 'nightly'))).toBeNull()
})

test('a schedule that is paused stays paused when it is changed', async () => {
  const id = warehouse()
  await apply(id, [wanted(id, 'hourly', HOURLY)])
  await client.schedule.getHandle(scheduleId(id, 'hourly')).pause('the key is being changed')
  await apply(id, [wanted(id, 'hourly', HOURLY, { definition: 'two', overlap: 'buffer_one' })])
  const found = await findSchedule(client, scheduleId(id, 'hourly'))
  expect(found?.state).toMatchObject({ paused: true, note: 'the key is being changed' })
  expect(found?.policies.overlap).toBe('BUFFER_ONE')
})

/** All times of a schedule in [from, to), as UTC. */
async function timesOf(id: string, name: string, from: string, to: string): Promise<string[]> {
  const times: string[] = []
  const endMs = Date.parse(to)
  let beforeMs = endMs
  for (;;) {
    const dueMs = await newestDueMs(
      client,
      scheduleId(id, name),
      beforeMs - Date.parse(from),
      beforeMs - 1_000,
    )
    if (dueMs === null) return times.toReversed()
    times.push(new Date(dueMs).toISOString().slice(0, 16))
    beforeMs = dueMs
  }
}

test('times of day go by the clocks of the zone, on the days of 23 and of 25 hours too', async () => {
  const id = warehouse()
  const at = [{ hour: 6, minute: 30 }]
  const daily = wanted(
    id,
    'daily',
    { kind: 'times', at, weekdays: [] },
    { timeZone: 'Europe/Berlin' },
  )
  const sundays = wanted(id, 'sundays', { kind: 'times', at, weekdays: [0] })
  await apply(id, [daily, sundays])
  const spring = await timesOf(id, 'daily', '2027-03-27T00:00Z', '2027-03-30T00:00Z')
  expect(spring).toEqual(['2027-03-27T05:30', '2027-03-28T04:30', '2027-03-29T04:30'])
  const autumn = await timesOf(id, 'daily', '2027-10-30T00:00Z', '2027-11-02T00:00Z')
  expect(autumn).toEqual(['2027-10-30T04:30', '2027-10-31T05:30', '2027-11-01T05:30'])
  const week = await timesOf(id, 'sundays', '2027-03-25T00:00Z', '2027-04-05T00:00Z')
  expect(week).toEqual(['2027-03-28T06:30', '2027-04-04T06:30'])
})

test('a time of day that a clock skips has no window, one that it shows twice has the later one', async () => {
  const id = warehouse()
  const at = [{ hour: 2, minute: 30 }]
  const times: ScheduleTimes = { kind: 'times', at, weekdays: [] }
  await apply(id, [wanted(id, 'night', times, { timeZone: 'Europe/Berlin' })])
  const spring = await timesOf(id, 'night', '2027-03-27T00:00Z', '2027-03-30T00:00Z')
  expect(spring).toEqual(['2027-03-27T01:30', '2027-03-29T00:30'])
  const autumn = await timesOf(id, 'night', '2027-10-30T00:00Z', '2027-11-02T00:00Z')
  expect(autumn).toEqual(['2027-10-30T00:30', '2027-10-31T01:30', '2027-11-01T01:30'])
})

test.for([
  // Windows that are due while one runs: the first waits for it, or none does.
  { overlap: 'buffer_one', waiting: 1, leftOut: 1 },
  { overlap: 'skip', waiting: 0, leftOut: 2 },
] as const)(
  'three windows come due while one runs: $overlap',
  async ({ overlap, waiting, leftOut }) => {
    const id = warehouse()
    await apply(id, [wanted(id, 'hourly', HOURLY, { overlap })])
    const handle = client.schedule.getHandle(scheduleId(id, 'hourly'))
    // Without a worker the first of them runs for as long as this test does.
    const start = new Date('2027-01-01T00:00Z')
    await handle.backfill({ start, end: new Date(start.getTime() + 3 * HOUR_MS - 1) })
    const state = async (): Promise<number[]> => {
      const { info, raw } = await handle.describe()
      const { runningActions, numActionsSkippedOverlap } = info
      return [runningActions.length, Number(raw.info?.bufferSize ?? 0), numActionsSkippedOverlap]
    }
    await expect.poll(state, { timeout: 20_000 }).toEqual([1, waiting, leftOut])
    const { workflowId } = (await handle.describe()).info.recentActions[0]!.action.workflow
    await client.workflow.getHandle(workflowId).terminate('the test is over')
  },
)

test('a schedule that has gone from the server is reported, once each time', async () => {
  const id = warehouse()
  const [one, never] = ['hourly', 'never'].map((name) => wanted(id, name, HOURLY))
  const gone: string[] = []
  const stop = new AbortController()
  let looks = 0
  const schedules = {
    *[Symbol.iterator]() {
      looks += 1
      yield* [one!.config, never!.config]
    },
  }
  const keeping = watchSchedules(
    {
      client,
      warehouseId: id,
      schedules,
      everyMs: 20,
      onMissed: () => undefined,
      onGone: (name) => gone.push(name),
      onFault: () => undefined,
    },
    stop.signal,
  )
  const looked = async (): Promise<void> => {
    const from = looks
    await expect.poll(() => looks).toBeGreaterThan(from + 1)
  }
  for (const times of [1, 2]) {
    await apply(id, [one!])
    await looked()
    await client.schedule.getHandle(scheduleId(id, 'hourly')).delete()
    await expect.poll(() => gone).toEqual(Array(times).fill('hourly'))
    await looked()
  }
  expect(gone).toEqual(['hourly', 'hourly'])
  stop.abort()
  await keeping
})

/** Begins the newest missed window of the schedule `hourly`, as by a clock that shows `nowMs`. */
async function begin(id: string, nowMs: number, catchUpMs = DAY_MS): Promise<number | null> {
  return beginMissedWindow(client, await hourlyOf(id), catchUpMs, nowMs)
}

function hourlyOf(id: string): Promise<ScheduleDescription> {
  return client.schedule.getHandle(scheduleId(id, 'hourly')).describe()
}

test('of the windows that were missed the newest is begun, once', async () => {
  const id = warehouse()
  const name = 'hourly'
  await apply(id, [wanted(id, name, HOURLY)])
  // Half a day in which nothing was begun: the clock says so, the server knows no better.
  const hourMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 12 * HOUR_MS
  const [dueMs, nowMs] = [hourMs + 5 * MINUTE_MS, hourMs + 30 * MINUTE_MS]
  expect(await begin(id, nowMs)).toBe(dueMs)
  await expect
    .poll(async () => {
      const found = await findSchedule(client, scheduleId(id, name))
      return found?.info.recentActions.map(({ scheduledAt }) => scheduledAt.getTime())
    })
    .toEqual([dueMs])
  expect(await begin(id, nowMs)).toBeNull()
  // Too late for the configuration, and paused: nothing is begun.
  const muchLaterMs = nowMs + 30 * DAY_MS
  expect(await begin(id, muchLaterMs, MINUTE_MS)).toBeNull()
  await client.schedule.getHandle(scheduleId(id, name)).pause()
  expect(await begin(id, muchLaterMs)).toBeNull()
})

test('a missed window of a schedule with jitter is begun, once', async () => {
  const id = warehouse()
  const jitterMs = 20 * MINUTE_MS
  await apply(id, [wanted(id, 'hourly', HOURLY, { jitterMs })])
  const nominalMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 12 * HOUR_MS + 5 * MINUTE_MS
  const nowMs = nominalMs + 40 * MINUTE_MS
  const dueMs = (await begin(id, nowMs)) ?? 0
  expect(dueMs).toBeGreaterThanOrEqual(nominalMs)
  expect(dueMs).toBeLessThanOrEqual(nominalMs + jitterMs)
  const running = async () => (await hourlyOf(id)).info.runningActions
  await expect.poll(running).toHaveLength(1)
  const [window] = await running()
  expect(window?.workflow.workflowId).toContain(new Date(nominalMs).toISOString().slice(0, 16))
  await client.workflow.getHandle(window?.workflow.workflowId ?? '').terminate()
  await expect.poll(running).toEqual([])
  expect(await begin(id, nowMs)).toBeNull()
})

test('a late window is planned for the newest due time, never before its window; a schedule that is gone has none', async () => {
  const id = warehouse()
  await apply(id, [wanted(id, 'hourly', HOURLY, { jitterMs: 50 * MINUTE_MS })])
  const nowMs = Date.now()
  const others = otherRuns(client, id, 'code')
  const newestMs = (await others.newestWindowMs('hourly')) ?? Infinity
  expect(newestMs).toBe(await newestDueMs(client, scheduleId(id, 'hourly'), 35 * DAY_MS, nowMs))
  expect((newestMs - 5 * MINUTE_MS) % HOUR_MS).toBeLessThanOrEqual(50 * MINUTE_MS)
  expect(await others.newestWindowMs('gone')).toBeNull()
})

test('of more due times than the server lists the newest is found', async () => {
  const id = warehouse()
  await apply(id, [wanted(id, 'often', { ...HOURLY, everyMs: 15 * MINUTE_MS })])
  const nowMs = Date.now()
  const dueMs = await newestDueMs(client, scheduleId(id, 'often'), 35 * DAY_MS, nowMs)
  expect(nowMs - (dueMs ?? 0)).toBeLessThanOrEqual(15 * MINUTE_MS)
})

/** The schedule that was moved. The server lists a new schedule a moment after it was made. */
function movedTo(id: string, queues: QueueNames): Promise<MovedSchedule> {
  return vi.waitFor(async () => {
    const [moved] = await moveSchedules(client, id, queues)
    expect(moved).toBeDefined()
    return moved!
  })
}

test('a window that waits in the queue of other code ends with the move, and a new one begins', async () => {
  const id = warehouse()
  await apply(id, [wanted(id, 'hourly', HOURLY, { taskQueue: 'older' })])
  // In the first 90 s after a due time nothing counts as missed, so the hour's half is taken.
  const hourMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 12 * HOUR_MS
  expect(await begin(id, hourMs + 30 * MINUTE_MS)).toBe(hourMs + 5 * MINUTE_MS)
  const queuesOfRunning = async () => {
    const { info } = await hourlyOf(id)
    const ids = info.runningActions.map(({ workflow }) => workflow.workflowId)
    const runs = await Promise.all(ids.map((one) => client.workflow.getHandle(one).describe()))
    return runs.map(({ taskQueue }) => taskQueue)
  }
  await expect.poll(queuesOfRunning).toEqual(['older'])
  const queues = { workflows: 'newer', fetch: 'newer-fetch', load: 'newer-load' }
  const moved = await movedTo(id, queues)
  expect(moved).toMatchObject({ name: 'hourly', before: { action: { taskQueue: 'older' } } })
  await expect.poll(queuesOfRunning).toEqual(['newer'])
  expect(await moveSchedules(client, id, queues)).toEqual([])
})

test('a window that was missed before the move is begun after it', async () => {
  const id = warehouse()
  await apply(id, [wanted(id, 'hourly', HOURLY, { taskQueue: 'older' })])
  const queues = { workflows: 'newer', fetch: 'newer-fetch', load: 'newer-load' }
  const { before } = await movedTo(id, queues)
  const hourMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS
  const found = { ...before, info: { ...before.info, lastUpdatedAt: new Date(hourMs) } }
  const dueMs = hourMs + 5 * MINUTE_MS
  expect(await beginMissedWindow(client, found, DAY_MS, hourMs + 30 * MINUTE_MS)).toBe(dueMs)
})

test.for(['buffer_one', 'skip'] as const)(
  'beside a window that runs nothing is caught up; afterwards %s decides',
  async (overlap) => {
    const id = warehouse()
    await apply(id, [wanted(id, 'hourly', HOURLY, { overlap })])
    const hourMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 5 * HOUR_MS
    const firstMs = hourMs + 5 * MINUTE_MS
    expect(await begin(id, firstMs + 20 * MINUTE_MS)).toBe(firstMs)
    const running = async () => {
      const found = await findSchedule(client, scheduleId(id, 'hourly'))
      return found?.info.runningActions.map(({ workflow }) => workflow.workflowId) ?? []
    }
    await expect.poll(running).toHaveLength(1)
    const laterMs = firstMs + 3 * HOUR_MS + 20 * MINUTE_MS
    expect(await begin(id, laterMs)).toBeNull()
    const [workflowId = ''] = await running()
    await client.workflow.getHandle(workflowId).terminate()
    await expect.poll(running).toEqual([])
    // Windows that came due before that end were left out on purpose, if at all.
    const found = (await findSchedule(client, scheduleId(id, 'hourly')))!
    const endedMs = await skippedUntilMs(client, found)
    if (overlap === 'skip') expect(Math.abs(Date.now() - endedMs)).toBeLessThan(MINUTE_MS)
    else expect(endedMs).toBe(-Infinity)
    // By this clock it has ended before the later windows came due: those were missed by a stop.
    expect(await begin(id, laterMs)).toBe(firstMs + 3 * HOUR_MS)
  },
)
