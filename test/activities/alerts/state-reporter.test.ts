import { expect, test } from 'vitest'
import { type Alert, alertOfRun, causesOf } from '../../../activities/alerts/alert.ts'
import { stateReporter } from '../../../activities/alerts/state-reporter.ts'
import { ALERT_EVENTS } from '../../../config/settings/watch-settings.ts'
import type { AlertEvent } from '../../../config/settings/read-watching.ts'
import type { Verdict } from '../../../activities/run-report.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { reportedTotals, runReport } from '../../parts/run-report.ts'
import { PARTIAL } from './sample-report.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 15)

const DATASET = PARTIAL.failures[0]!.dataset

/** Windows of schedules, each told by a process of its own. */
function watched(on: readonly AlertEvent[] = ALERT_EVENTS) {
  const dir = tempDir()
  const alerts: Alert[] = []
  const tell = (alert: Alert): Promise<void> => {
    alerts.push(alert)
    return Promise.resolve()
  }
  let runs = 0
  async function window(
    hour: number,
    verdict: Verdict,
    code = 'SOURCE_NOT_FOUND',
    name = 'h',
    asked?: readonly string[],
  ) {
    const failures = PARTIAL.failures.map((one) => ({ ...one, code }))
    const fatal = verdict === 'failed' ? { code, reason: '', hint: '', exitCode: 4 } : null
    const report = { ...PARTIAL, runId: `r${++runs}`, verdict, failures, fatal }
    const nowMs = START_MS + hour * HOUR_MS
    const alert = alertOfRun(report, name, { warehouse: '/lake', coinlakeVersion: '0', nowMs })!
    const told = stateReporter({ raise: tell }, on, dir)
    if (verdict === 'complete') await told.well(alert, asked)
    else await told.bad(alert, causesOf(report))
  }
  return { window, alerts }
}

test('a slice that is broken for good is told once, then once a day, then that it is well', async () => {
  const { window, alerts } = watched()
  for (let hour = 0; hour < 50; hour++) await window(hour, 'partial')
  expect(alerts.map(({ at }) => at.slice(0, 13))).toEqual([
    '2026-01-15T00',
    '2026-01-16T00',
    '2026-01-17T00',
  ])
  expect(new Set(alerts.map(({ subject, since }) => `${subject} ${since}`))).toEqual(
    new Set(['run/h 2026-01-15T00:00:00.000Z']),
  )
  expect(new Set(alerts.map(({ id }) => id)).size).toBe(3)
  expect(alerts[1]?.text).toMatch(/is partial: .* \(so since 2026-01-15T00:00:00.000Z\)$/)
  await window(50, 'complete')
  await window(51, 'complete')
  expect(alerts).toHaveLength(4)
  expect(alerts[3]).toMatchObject({ event: 'recovered', subject: 'run/h' })
  expect(alerts[3]?.text).toMatch(/is complete again \(partial since 2026-01-15T00:00:00.000Z\)$/)
  await window(52, 'partial')
  expect(alerts).toHaveLength(5)
})

test('a window ends causes of the datasets that it asked for, and a failed state at once', async () => {
  const { window, alerts } = watched()
  await window(0, 'partial')
  await window(1, 'complete', '', 'h', [])
  await window(2, 'partial', 'SOURCE_DATA', 'h')
  await window(3, 'complete', '', 'h', ['coins'])
  await window(4, 'partial')
  await window(5, 'complete', '', 'h', ['coins', DATASET])
  await window(6, 'failed')
  await window(7, 'complete', '', 'h', [])
  await window(8, 'partial')
  await window(32, 'complete', '', 'h', [])
  expect(alerts.map(({ at, event }) => `${at.slice(8, 13)} ${event}`)).toEqual([
    '15T00 partial',
    '15T02 partial',
    '15T05 recovered',
    '15T06 failed',
    '15T07 recovered',
    '15T08 partial',
    '16T08 recovered',
  ])
})

test('refused rows are a cause of their dataset', () => {
  const datasets = [reportedTotals({ quarantined: 3 }), reportedTotals({ dataset: 'coins' })]
  expect(causesOf(runReport({ datasets }))).toEqual(['market_chart QUARANTINED'])
})

test('a slice that is not asked again fails for the reason that was told', async () => {
  const { window, alerts } = watched()
  await window(0, 'partial')
  await window(3, 'partial', 'NOT_ASKED_AGAIN')
  expect(alerts).toHaveLength(1)
})

test('an outage is told once, whichever code it has in a window', async () => {
  const { window, alerts } = watched()
  await window(0, 'failed', 'SOURCE_UNREACHABLE')
  await window(1, 'failed', 'SOURCE_DOWN')
  await window(2, 'failed', 'SOURCE_UNREACHABLE')
  await window(3, 'failed', 'SOURCE_AUTH')
  expect(alerts.map(({ run }) => run?.fatal?.code)).toEqual(['SOURCE_UNREACHABLE', 'SOURCE_AUTH'])
})

test('another verdict, another cause and another schedule are news', async () => {
  const { window, alerts } = watched()
  await window(0, 'partial')
  await window(1, 'failed')
  await window(2, 'failed', 'SOURCE_DATA')
  await window(3, 'failed')
  await window(4, 'partial')
  await window(3, 'failed', 'SOURCE_DATA', 'daily')
  await window(4, 'complete', '', 'daily')
  expect(alerts.map(({ event, subject }) => `${event} ${subject}`)).toEqual([
    'partial run/h',
    'failed run/h',
    'failed run/h',
    'failed run/daily',
    'recovered run/daily',
  ])
})

test('a state that nobody asked for changes nothing of what was told', async () => {
  const { window, alerts } = watched(['failed', 'recovered'])
  await window(0, 'partial')
  await window(1, 'complete')
  await window(2, 'failed')
  await window(3, 'partial')
  await window(4, 'failed')
  await window(5, 'complete')
  expect(alerts.map(({ event }) => event)).toEqual(['failed', 'recovered'])
})
