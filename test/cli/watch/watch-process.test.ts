import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { loadCliConfig } from '../../../cli/run/load-cli-config.ts'
import { watchProcess } from '../../../cli/watch/watch-process.ts'
import { frozenClock } from '../../../config/clock.ts'
import { pathsOf } from '../../../config/warehouse-paths.ts'
import { PARTIAL } from '../../activities/alerts/sample-report.ts'
import { tempDir } from '../../proof/harness.ts'
import { silentEffects } from '../silent-effects.ts'

test('stale data are told when the last open run has ended, not when the first has', async () => {
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
    // A table without a row: the dataset is to be fresh, and has nothing.
    warehouse: { paths, store: { query: () => Promise.resolve([]) } },
    log: pino({ level: 'silent' }),
    metrics: null,
    keys: () => [],
    say: () => undefined,
  })
  const end = async (runId: string): Promise<void> => {
    await watch.observe({ kind: 'ended', runId, report: { ...PARTIAL, runId } })
  }
  const told = join(paths.stateDir, 'alerts', 'stale-told.json')
  await watch.observe({ kind: 'planned', runId: 'backfill', slices: 9 })
  await watch.observe({ kind: 'planned', runId: 'window', slices: 1 })
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
