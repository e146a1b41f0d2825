import { expect, test } from 'vitest'
import type { Alert } from '../../../activities/alerts/alert.ts'
import { stateReporter } from '../../../activities/alerts/state-reporter.ts'
import type { Freshness } from '../../../cli/freshness/freshness-facts.ts'
import { alertStale } from '../../../cli/watch/alert-stale.ts'
import { ALERT_EVENTS } from '../../../config/settings/watch-settings.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const PLACE = { warehouse: '/lake', coinlakeVersion: '0.1.0', nowMs: 0 }

function chartAt(newestAt: string, state: Freshness['state'], granularity = '1h'): Freshness {
  const bounds = { ageMs: 2, allowedMs: 1, isTarget: true, staleSince: newestAt }
  return {
    dataset: 'market_chart',
    order: `market_chart/${granularity}`,
    granularity,
    newestAt,
    state,
    ...bounds,
  }
}

test('each series is stale once and fresh again once, whatever process looks', async () => {
  const dir = tempDir()
  const alerts: Alert[] = []
  const tell = (alert: Alert): Promise<void> => {
    alerts.push(alert)
    return Promise.resolve()
  }
  const look = (...freshness: Freshness[]): Promise<void> =>
    alertStale(stateReporter({ raise: tell }, ALERT_EVENTS, dir), freshness, PLACE)
  const daily = chartAt('D01', 'fresh', '1d')
  await look(chartAt('T01', 'stale'), daily)
  // One that grows and stays stale is no news, and its sister has a state of its own.
  await look(chartAt('T02', 'stale'), daily)
  await look(chartAt('T03', 'stale'), chartAt('D01', 'stale', '1d'))
  await look(chartAt('T04', 'fresh'), chartAt('D01', 'stale', '1d'))
  await look(chartAt('T04', 'fresh'), chartAt('D01', 'stale', '1d'))
  expect(alerts.map(({ id, event }) => `${event} ${id}`)).toEqual([
    'stale stale/market_chart/1h/T01',
    'stale stale/market_chart/1d/D01',
    'recovered stale/market_chart/1h/T04/recovered',
  ])
  expect(alerts[2]?.text).toMatch(/^coinlake: market_chart\/1h of \/lake is fresh again: .* T04 \(/)
  expect(alerts[2]?.stale?.since).toBeNull()
  // A series that is asked for no more is neither stale nor well.
  await look(chartAt('T04', 'fresh'))
  await look(chartAt('T04', 'fresh'), chartAt('D02', 'fresh', '1d'))
  expect(alerts).toHaveLength(3)
})
