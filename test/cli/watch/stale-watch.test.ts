import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Alert } from '../../../activities/alerts/alert.ts'
import type { Freshness } from '../../../cli/report/facts/freshness-facts.ts'
import { staleWatch } from '../../../cli/watch/stale-watch.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const PLACE = { warehouse: '/lake', coinlakeVersion: '0.1.0', nowMs: 0 }

function chartAt(newestAt: string, state: Freshness['state']): Freshness[] {
  const bounds = { ageMs: 2, allowedMs: 1, isTarget: true, staleSince: newestAt }
  return [{ dataset: 'market_chart', granularity: '1h', newestAt, state, ...bounds }]
}

test('what grows and stays stale is told once, until it was fresh', async () => {
  const dir = tempDir()
  mkdirSync(dir, { recursive: true })
  const told: string[] = []
  const tell = (alert: Alert): Promise<void> => {
    told.push(alert.id)
    return Promise.resolve()
  }
  const watch = staleWatch({ tell }, dir)
  await watch.look(chartAt('T01', 'stale'), PLACE)
  await watch.look(chartAt('T02', 'stale'), PLACE)
  // A process that begins later remembers it.
  await staleWatch({ tell }, dir).look(chartAt('T03', 'stale'), PLACE)
  expect(told).toEqual(['stale/market_chart/T01'])
  await watch.look(chartAt('T04', 'fresh'), PLACE)
  await watch.look(chartAt('T04', 'stale'), PLACE)
  expect(told).toEqual(['stale/market_chart/T01', 'stale/market_chart/T04'])
})
