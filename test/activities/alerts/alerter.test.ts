import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Alert, alertOfRun, alertOfStale } from '../../../activities/alerts/alert.ts'
import { alertOutbox } from '../../../activities/alerts/alert-outbox.ts'
import { createAlerter } from '../../../activities/alerts/alerter.ts'
import type { Alerter, AlertTrouble } from '../../../activities/alerts/alerter.ts'
import type { AlertsConfig } from '../../../config/settings/read-watching.ts'
import { FakeTime } from '../../api/fake-time.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { PARTIAL } from './sample-report.ts'

const PLACE = { warehouse: '/lake', coinlakeVersion: '0.1.0', nowMs: Date.UTC(2026, 0, 15) }
const HOUR_MS = 3_600_000
const CONFIG: AlertsConfig = {
  receiver: { kind: 'command', argv: ['true'] },
  on: ['partial', 'failed', 'stale'],
}

function alertOf(runId = 'r1'): Alert {
  return alertOfRun({ ...PARTIAL, runId }, 'hourly', PLACE)!
}

interface Place {
  dir?: string
  time?: FakeTime
  config?: AlertsConfig
}

/** An alerter whose receiver is down as often as told, or until it is said to be up. */
function alerterThat(
  isDown: (time: FakeTime) => boolean,
  { dir = tempDir(), time = new FakeTime(0), config = CONFIG }: Place = {},
) {
  const taken: string[] = []
  const troubles: AlertTrouble[] = []
  const alerter = createAlerter({
    alerts: config,
    dir,
    send: async (_, { id }) => {
      if (isDown(time)) throw new Error('no answer')
      taken.push(id)
    },
    onTrouble: (trouble) => troubles.push(trouble),
    nowMs: () => time.nowMs(),
    sleep: time.sleep,
  })
  return { alerter, taken, troubles, dir, time }
}

/** Lets the real work of files and promises be done between two steps of the simulated time. */
async function pass(time: FakeTime, ms: number): Promise<void> {
  const untilMs = time.nowMs() + ms
  while (time.nowMs() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 3))
    await time.run(Math.min(untilMs, time.nowMs() + 1_000))
  }
}

test('what is told says all in one sentence, and only what is wrong is told', () => {
  expect(alertOf('r9')).toMatchObject({
    format: 1,
    id: 'run/r9/partial',
    event: 'partial',
    text: 'coinlake: run r9 of /lake is partial: 1 of 3 slices failed',
    run: { calls: 12, failures: [{ entity: 'bitcoin', code: 'SOURCE_NOT_FOUND' }] },
  })
  const fatal = { code: 'SOURCE_AUTH', reason: 'HTTP 401', hint: 'Do.', exitCode: 4 }
  const failed = alertOfRun({ ...PARTIAL, verdict: 'failed', fatal }, 'hourly', PLACE)
  expect(failed?.text).toMatch(/is failed: SOURCE_AUTH: HTTP 401$/)
  expect(alertOfRun({ ...PARTIAL, verdict: 'complete' }, 'hourly', PLACE)).toMatchObject({
    event: 'recovered',
    subject: 'run/hourly',
    text: 'coinlake: run 20260115T120000-abc123 of /lake is complete again',
  })
  expect(alertOfRun({ ...PARTIAL, verdict: 'cancelled' }, 'hourly', PLACE)).toBeNull()
  const coins = { dataset: 'coins', order: 'coins', granularity: '' }
  const stale = { ...coins, since: null, ageMs: null, allowedMs: HOUR_MS }
  expect(alertOfStale({ ...stale, newestAt: null }, PLACE)).toMatchObject({
    id: 'stale/coins/empty',
    text: 'coinlake: coins of /lake is stale: it has no point at all',
  })
  const short = {
    ...stale,
    newestAt: '2026-01-14T23:57:00.000Z',
    ageMs: 180_000,
    allowedMs: 60_000,
  }
  expect(alertOfStale(short, PLACE).text).toMatch(
    / newer than 2026-01-14T23:57:00.000Z \(3 min old, 60 s allowed\)$/,
  )
})

/** Ends it; the alerts that it could not send. */
async function closed({ alerter, time }: { alerter: Alerter; time: FakeTime }, withinMs = 0) {
  const closing = alerter.close(withinMs)
  await pass(time, withinMs + 1_000)
  return (await closing).map(({ id }) => id)
}

test('an alert that waits for its receiver is sent once, however often the end of its run is done again', async () => {
  const bench = alerterThat((time) => time.nowMs() < 1_000)
  await bench.alerter.raise(alertOf())
  await bench.alerter.raise(alertOf())
  await pass(bench.time, 2_000)
  await expect.poll(() => bench.taken.length).toBe(1)
  expect(await closed(bench)).toEqual([])
  expect(bench.taken).toHaveLength(1)
  expect(readdirSync(bench.dir)).toEqual([])
})

test('what nobody asked for is not told', async () => {
  const bench = alerterThat(() => false, { config: { ...CONFIG, on: ['failed'] } })
  await bench.alerter.raise(alertOf())
  await closed(bench)
  expect(bench.taken).toEqual([])
})

test('a receiver that is down is tried ever more rarely, and gets everything when it is back', async () => {
  const bench = alerterThat((time) => time.nowMs() < 600_000)
  const { alerter, taken, troubles, time } = bench
  await alerter.raise(alertOf('r1'))
  await alerter.raise(alertOf('r2'))
  await pass(time, 1_000_000)
  expect(taken).toEqual(['run/r1/partial', 'run/r2/partial'])
  expect(troubles.length).toBeGreaterThanOrEqual(5)
  expect(troubles.length).toBeLessThanOrEqual(8)
  expect(troubles[0]).toMatchObject({ reason: 'no answer', isGivenUp: false })
  await closed(bench)
})

test('what a process could not send is sent by the next', async () => {
  const first = alerterThat(() => true)
  await first.alerter.raise(alertOf())
  expect(await closed(first, 2_000)).toEqual(['run/r1/partial'])
  const next = alerterThat(() => false, first)
  await expect.poll(() => next.taken).toEqual(['run/r1/partial'])
  expect(await closed(next)).toEqual([])
})

test('a receiver that holds the alert to the end is called back, and waited for no longer', async () => {
  const time = new FakeTime(0)
  let isCalledBack = false
  const alerter = createAlerter({
    alerts: CONFIG,
    dir: tempDir(),
    // The sender never ends, not even by its signal.
    send: (_, __, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          isCalledBack = true
        })
      }),
    onTrouble: () => undefined,
    nowMs: () => time.nowMs(),
    sleep: time.sleep,
  })
  await alerter.raise(alertOf())
  expect(await closed({ alerter, time }, 8_000)).toEqual(['run/r1/partial'])
  expect(isCalledBack).toBe(true)
})

test('what nobody takes for a day is given up, with a word', async () => {
  const first = alerterThat(() => true)
  await first.alerter.raise(alertOf())
  await closed(first)
  first.time.jump(25 * HOUR_MS)
  const next = alerterThat(() => true, first)
  await expect.poll(() => next.troubles.map(({ isGivenUp }) => isGivenUp)).toEqual([true])
  expect(await closed(next)).toEqual([])
})

test('an accepted alert leaves no file, even when the next one is refused', async () => {
  const dir = tempDir()
  const outbox = alertOutbox(dir)
  await outbox.put(alertOf('r1'), 0)
  await outbox.put(alertOf('r2'), 1)
  let calls = 0
  const bench = alerterThat(() => (calls += 1) > 1, { dir })
  await expect.poll(() => bench.troubles.length).toBe(1)
  expect((await outbox.waiting()).map(({ alert }) => alert.id)).toEqual([alertOf('r2').id])
  await closed(bench)
})

test('an alert that is told again waits since it was told first', async () => {
  const outbox = alertOutbox(tempDir())
  await outbox.put(alertOf('old'), 1)
  await outbox.put(alertOf('new'), 2)
  await outbox.put(alertOf('old'), 3)
  const waiting = (await outbox.waiting()).map(({ alert, sinceMs }) => [alert.id, sinceMs])
  expect(waiting).toEqual([
    ['run/old/partial', 1],
    ['run/new/partial', 2],
  ])
})
