import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MetricMeter } from '@temporalio/common'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { laneOf, scheduleOf } from '../../../activities/watch-activities.ts'
import { loadCliConfig } from '../../../cli/run/load-cli-config.ts'
import { runMetrics } from '../../../cli/watch/run-metrics.ts'
import type { RunMetrics } from '../../../cli/watch/run-metrics.ts'
import { watchProcess } from '../../../cli/watch/watch-process.ts'
import { frozenClock } from '../../../config/clock.ts'
import { pathsOf, warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { PARTIAL } from '../../activities/alerts/sample-report.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { silentEffects } from '../../parts/silent-effects.ts'

/** Watches a warehouse whose table is without a row: the dataset is to be fresh, and has nothing. */
function watchStale(metrics: RunMetrics | null = null) {
  const dir = tempDir()
  const taken = join(dir, 'taken.json')
  writeFileSync(
    join(dir, 'coinlake.yaml'),
    [
      'source: { base_url: "http://127.0.0.1:9" }',
      'warehouse: ./warehouse',
      'datasets: { exchange_rates: { every: 1h } }',
      'freshness: { exchange_rates: 2h }',
      `alerts: { command: [/bin/sh, -c, 'cat > "$0"', ${taken}], on: [stale] }`,
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
    metrics,
    keys: () => [],
    say: () => undefined,
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

const PAGE = {
  kind: 'page',
  dataset: 'exchange_rates',
  sliceId: 's1',
  step: 0,
  page: 1,
  outcome: 'page',
  calls: 1,
  rows: 60,
  bytes: 1_000,
  durationMs: 5,
} as const

test('pages for another warehouse of the key hold no alarm back, and are not counted', async () => {
  const counted: string[] = []
  const counter = (name: string) => {
    return { add: (value: number) => counted.push(`${name} ${value}`) }
  }
  const gauge = { set: () => undefined, record: () => undefined }
  const meter = { createCounter: counter, createGauge: () => gauge, createHistogram: () => gauge }
  const { watch, told, end, warehouseId } = watchStale(runMetrics(meter as unknown as MetricMeter))
  await watch.observe({ ...PAGE, warehouseId: 'a11ce0a11ce0', runId: 'theirs' })
  expect(counted).toEqual([])
  await watch.observe({ ...PAGE, warehouseId, runId: 'window' })
  expect(counted).toEqual(['coinlake_pages 1', 'coinlake_received_bytes 1000'])
  await end('window')
  expect(existsSync(told)).toBe(true)
  await watch.close()
})

test.each([
  ['export/a11ce0a11ce0/20260115T120000-abc123/lane-0', 'a11ce0a11ce0', '20260115T120000-abc123'],
  ['export/a11ce0a11ce0/hourly/20260115T120000-abc/lane-12', 'a11ce0a11ce0', '20260115T120000-abc'],
  ['export/a11ce0a11ce0', '', ''],
  ['', '', ''],
])('a page is of the warehouse and the run whose lane asks: %s', (id, warehouseId, runId) => {
  expect(laneOf(id)).toEqual({ warehouseId, runId })
  expect(scheduleOf(id.replace(/\/[^/]+\/lane-\d+$/, ''))).toBe(
    id.includes('hourly') ? 'hourly' : '',
  )
})
