import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { scheduleOf } from '../../../activities/run-events.ts'
import { loadCliConfig } from '../../../cli/run/load-cli-config.ts'
import { type WatchOptions, watchProcess } from '../../../cli/watch/watch-process.ts'
import { frozenClock } from '../../../config/clock.ts'
import { pathsOf, warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { PARTIAL } from '../../activities/alerts/sample-report.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { sliceCounts } from '../../parts/run-report.ts'
import { silentEffects } from '../../parts/silent-effects.ts'

/** Watches a warehouse whose table is without a row: the dataset is to be fresh, and has nothing. */
function watchStale(
  findOpen: WatchOptions['runs']['findOpen'] | null = null,
  on = 'stale, stalled',
) {
  const dir = tempDir()
  const taken = join(dir, 'taken.json')
  writeFileSync(
    join(dir, 'coinlake.yaml'),
    [
      'source: { base_url: "http://127.0.0.1:9" }',
      'warehouse: ./warehouse',
      'datasets: { exchange_rates: { every: 1h } }',
      'freshness: { exchange_rates: 2h }',
      `alerts: { command: [/bin/sh, -c, 'cat >> "$0"', ${taken}], on: [${on}] }`,
      '',
    ].join('\n'),
  )
  const clock = frozenClock(Date.UTC(2026, 0, 15))
  const config = loadCliConfig(silentEffects({ env: {}, cwd: dir, clock }), {})
  const paths = pathsOf(config)
  mkdirSync(paths.stateDir, { recursive: true })
  const watch = watchProcess({
    config,
    clock,
    env: { PATH: process.env['PATH'] },
    warehouse: { paths, store: { query: () => Promise.resolve([]) } },
    log: pino({ level: 'silent' }),
    metrics: null,
    keys: () => [],
    say: () => undefined,
    runs: {
      findOpen: findOpen ?? (() => Promise.resolve([])),
      surroundings: () => Promise.resolve({ waiting: 0, hasRoom: true }),
    },
    lookEveryMs: findOpen === null ? 60_000 : 1,
  })
  const told = join(paths.stateDir, 'alerts', 'told.json')
  const end = async (runId: string): Promise<void> => {
    await watch.observe({ kind: 'ended', runId, schedule: '', report: { ...PARTIAL, runId } })
  }
  return { watch, taken, told, end, warehouseId: warehouseIdOf(config) }
}

test('stale data are told when the last open run has ended, not when the first has', async () => {
  const { watch, taken, told, end } = watchStale()
  await watch.observe({ kind: 'planned', runId: 'backfill', schedule: '', slices: 9 })
  await watch.observe({ kind: 'planned', runId: 'window', schedule: '', slices: 1 })
  await end('window')
  expect(existsSync(told)).toBe(false)
  await end('backfill')
  expect(existsSync(told)).toBe(true)
  await watch.close()
  expect(JSON.parse(readFileSync(taken, 'utf8'))).toMatchObject({
    event: 'stale',
    stale: { dataset: 'exchange_rates' },
  })
})

test('a schedule that has gone raises an alert, which its next complete window recovers', async () => {
  const { watch, told, taken } = watchStale(null, 'failed, recovered')
  await watch.alertScheduleGone('hourly')
  expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({
    'run/hourly': { event: 'failed' },
  })
  const report = { ...PARTIAL, runId: 'next', verdict: 'complete' as const }
  await watch.observe({ kind: 'ended', runId: 'next', schedule: 'hourly', report })
  expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual({})
  await watch.close()
  const sent = readFileSync(taken, 'utf8').replaceAll('}{', '}\n{').trim().split('\n')
  expect(sent.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: 'failed', text: expect.stringMatching(/hourly of .* is not on the server any more/) },
    { event: 'recovered', subject: 'run/hourly' },
  ])
})

test('a window that asks for other datasets leaves its schedule partial; a run by hand is well again', async () => {
  const { watch, told } = watchStale(null, 'partial, recovered')
  const { orderId } = PARTIAL
  for (const schedule of ['hourly', '']) {
    await watch.observe({ kind: 'ended', runId: 'one', schedule, report: PARTIAL })
    const report = { ...PARTIAL, verdict: 'complete' as const, slices: sliceCounts({}) }
    await watch.observe({ kind: 'ended', runId: 'two', schedule, report })
  }
  const states = JSON.parse(readFileSync(told, 'utf8')) as object
  expect([states, `run/${orderId}` in states]).toMatchObject([{ 'run/hourly': {} }, false])
  await watch.close()
})

test('a run that stands still is told', async () => {
  let nowMs = Date.UTC(2026, 0, 15)
  const now = vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => now.mockRestore())
  const dead = { runId: 'r1', schedule: null, progress: null, unpolled: ['coinlake.w.c.fetch'] }
  const seen = Promise.withResolvers<void>()
  let looks = 0
  const findOpen = () => {
    // Each look is one minute after the last.
    nowMs += 60_000
    looks += 1
    if (looks === 4) seen.resolve()
    return Promise.resolve([dead])
  }
  const { watch, taken } = watchStale(findOpen, 'stalled')
  await seen.promise
  await watch.close()
  expect(JSON.parse(readFileSync(taken, 'utf8'))).toMatchObject({
    event: 'stalled',
    subject: 'stalled/r1',
    stalled: { code: 'QUEUE_NOT_POLLED' },
  })
})

test.each([
  ['export/a11ce0a11ce0/hourly', 'hourly'],
  ['export/a11ce0a11ce0', ''],
  ['', ''],
])('the run of %s is of the schedule "%s"', (id, schedule) => {
  expect(scheduleOf(id)).toBe(schedule)
})
