import { DAY_MS } from '../../../config/values/duration.ts'
import { assert, constantFrom, integer, oneof, option, property } from 'fast-check'
import { expect, test } from 'vitest'
import { chartGranularity } from '../../../api/step-rules.ts'
import type { Slice, StepContext } from '../../../datasets/dataset.ts'
import { marketChart } from '../../../datasets/market-chart.ts'
import { stepsOf } from '../context.ts'

const NOW = Date.UTC(2026, 0, 1, 12, 0, 7) + 123
const DAY_S = 86_400

const HOURS = { entity: 'bitcoin', vsCurrency: 'usd', granularity: '1h' } as const

function windows(slice: Partial<Slice>, context: Partial<StepContext> = {}) {
  const steps = stepsOf(marketChart, { ...HOURS, ...slice }, { nowMs: NOW, ...context })
  return steps.map(({ params }) => ({ from: Number(params['from']), to: Number(params['to']) }))
}

const at = (text: string) => Date.parse(text)
const s = (text: string) => at(text) / 1000

test.each([
  ['90 days are asked as they are', '2025-01-01T00:00Z', '2025-04-01T00:00Z', 90 * DAY_S, 0],
  [
    'an hour in the past is widened to the right',
    '2025-01-01T00:00Z',
    '2025-01-01T01:00Z',
    2 * DAY_S,
    0,
  ],
  [
    'the last hour is widened to the left, where a whole hour begins',
    '2026-01-01T11:00Z',
    '2026-01-01T12:00Z',
    2 * DAY_S + 7,
    -2 * DAY_S + 3_600,
  ],
  [
    'an end in the future is asked for up to now',
    '2025-12-20T00:00Z',
    '2026-01-01T13:00Z',
    12.5 * DAY_S + 7,
    0,
  ],
])('hourly: %s', (_, from, to, width, shift) => {
  const [window] = windows({ fromMs: at(from), toMs: at(to) })
  expect(window!.to - window!.from).toBe(width)
  expect(window!.from).toBe(s(from) + shift)
  expect(window!.to).toBeLessThanOrEqual(Math.max(Math.floor(NOW / 1000), s(to)))
})

test('daily asks for 91 days at least, but not past the reach of the plan', () => {
  const slice = { granularity: '1d', fromMs: NOW - 10 * DAY_MS, toMs: NOW } as const
  const [free] = windows(slice)
  expect(free!.to - free!.from).toBeGreaterThanOrEqual(91 * DAY_S)
  expect(free!.from % DAY_S).toBe(0)
  const [bound] = windows(slice, { maxHistoryDays: 30 })
  expect(bound!.from * 1000).toBeGreaterThanOrEqual(NOW - 30 * DAY_MS)
})

test('nothing is asked for that lies ahead of now', () => {
  const nowS = Math.floor(NOW / 1000)
  for (const granularity of ['1h', '1d'] as const) {
    const slice = { granularity, fromMs: NOW - 5 * DAY_MS, toMs: NOW + DAY_MS }
    for (const attempt of [1, 2] as const) {
      expect(windows(slice, { attempt }).map(({ to }) => to)).toEqual([nowS])
    }
  }
})

test('5 minutes are only to be had for the day before now', () => {
  const slice = { ...HOURS, granularity: '5m', fromMs: NOW - DAY_MS, toMs: NOW } as const
  expect(stepsOf(marketChart, slice, { nowMs: NOW })).toEqual([
    {
      operation: 'coins/{id}/market_chart',
      params: { id: 'bitcoin', vs_currency: 'usd', days: '1' },
      paging: 'single',
      perPage: 0,
    },
  ])
})

test('attempt 2 asks otherwise than attempt 1', () => {
  for (const days of [1, 89, 90]) {
    const slice = { fromMs: NOW - 400 * DAY_MS, toMs: NOW - (400 - days) * DAY_MS }
    expect(windows(slice, { attempt: 2 })).not.toEqual(windows(slice))
  }
})

test('any slice is covered by requests that the rule answers with its granularity', () => {
  assert(
    property(
      constantFrom('1h' as const, '1d' as const),
      constantFrom(1 as const, 2 as const),
      oneof(
        integer({ min: 1, max: 90 * DAY_MS }),
        integer({ min: 1, max: 90 }).map((d) => d * DAY_MS),
      ),
      integer({ min: 0, max: 3000 * DAY_MS }),
      option(integer({ min: 365, max: 3650 })),
      (granularity, attempt, lengthMs, ageMs, maxHistoryDays) => {
        const reachMs = (maxHistoryDays ?? 3650) * DAY_MS
        const toMs = NOW - Math.min(ageMs, reachMs - lengthMs)
        const fromMs = toMs - lengthMs
        const asked = windows({ granularity, fromMs, toMs }, { attempt, maxHistoryDays })
        let covered = fromMs
        for (const { from, to } of asked) {
          expect(from * 1000).toBeLessThanOrEqual(covered)
          covered = Math.max(covered, to * 1000)
          expect(chartGranularity(from * 1000, to * 1000, NOW)).toBe(granularity)
          // A bound that is no whole second costs less than one more second.
          expect(from * 1000).toBeGreaterThan(NOW - reachMs - 1000)
        }
        expect(covered).toBeGreaterThanOrEqual(toMs)
        const wholeSeconds = fromMs % 1000 === 0 && toMs % 1000 === 0
        if (attempt === 1 && wholeSeconds) expect(asked).toHaveLength(1)
      },
    ),
    { numRuns: 2000 },
  )
})
