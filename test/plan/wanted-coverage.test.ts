import { DAY_MS } from '../../config/values/duration.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { merge, totalMs } from '../../plan/intervals.ts'
import { wantedCoverage } from '../../plan/wanted-coverage.ts'
import type { KnownInterval } from '../../plan/covered.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const HOUR_MS = GRANULARITY_MS['1h']
const HOURS = 60
const NOW_MS = 1000 * DAY_MS
const START_MS = NOW_MS - 100 * DAY_MS
const NAME = { dataset: 'chart', entity: 'bitcoin', vsCurrency: 'usd' } as const
const SERIES = { ...NAME, granularity: '1h' } as const
const chart = testDataset({ name: 'chart', kind: 'range' })

function input(fromHour: number, toHour: number) {
  const [fromMs, toMs] = [START_MS + fromHour * HOUR_MS, START_MS + toHour * HOUR_MS]
  const wanted = [wantedOf({ dataset: 'chart', fromMs, toMs })]
  return planInput({ wanted, nowMs: NOW_MS, datasets: [chart] })
}

const hours = fc
  .tuple(fc.integer({ min: 0, max: HOURS }), fc.integer({ min: 1, max: 20 }))
  .map(([from, length]) => ({
    ...SERIES,
    fromMs: START_MS + from * HOUR_MS,
    toMs: START_MS + (from + length) * HOUR_MS,
  }))
const known = fc.array(
  fc
    .tuple(
      hours,
      fc.constantFrom<KnownInterval['state']>('verified', 'empty', 'provisional', 'failed'),
    )
    .map(([slice, state]) => ({ ...slice, state })),
  { maxLength: 6 },
)

test('the states tile what is wanted exactly once; missing is what nothing covers', () => {
  fc.assert(
    fc.property(known, fc.array(hours, { maxLength: 2 }), (ledger, setAside) => {
      const { intervals } = wantedCoverage(
        input(10, 50),
        ledger,
        setAside.map((slice) => ({ ...slice, rows: 1 })),
      )
      const whole = { fromMs: START_MS + 10 * HOUR_MS, toMs: START_MS + 50 * HOUR_MS }
      expect(merge(intervals)).toEqual([whole])
      expect(totalMs(intervals)).toBe(40 * HOUR_MS)
      const held = ledger.filter(({ state }) => state !== 'failed')
      const missing = intervals.filter(({ state }) => state === 'missing')
      const clipped = held.map(({ fromMs, toMs }) => ({
        fromMs: Math.max(fromMs, whole.fromMs),
        toMs: Math.min(toMs, whole.toMs),
      }))
      expect(totalMs(missing)).toBe(40 * HOUR_MS - totalMs(merge(clipped)))
    }),
    { numRuns: 300 },
  )
})

test('a hole says whether it was asked for, and a quarantined slice how many rows it lacks', () => {
  const at = (from: number, to: number) => ({
    ...SERIES,
    fromMs: START_MS + from * HOUR_MS,
    toMs: START_MS + to * HOUR_MS,
  })
  const { intervals } = wantedCoverage(
    input(0, 40),
    [
      { ...at(0, 20), state: 'verified' },
      { ...at(25, 30), state: 'failed' },
    ],
    [{ ...at(10, 20), rows: 3 }],
  )
  const told = intervals.map(({ fromMs, state, reason, rows }) => {
    return [(fromMs - START_MS) / HOUR_MS, state, reason, rows]
  })
  expect(told).toEqual([
    [0, 'verified', null, 0],
    [10, 'quarantined', null, 3],
    [20, 'missing', 'not_asked', 0],
    [25, 'missing', 'failed', 0],
    [30, 'missing', 'not_asked', 0],
  ])
})

const quotes = testDataset({
  name: 'quotes',
  kind: 'snapshot',
  granularities: [],
  entitiesPerSlice: 10,
})

test('what the hourly order has taken counts for the daily one; both are looked at', () => {
  const usd = { dataset: 'quotes', vsCurrency: 'usd' } as const
  const daily = wantedOf({ ...usd, granularity: '', entities: ['a', 'b'], everyMs: DAY_MS })
  const hourly = wantedOf({ ...usd, granularity: '', entities: ['a'], everyMs: HOUR_MS })
  const hour = { fromMs: NOW_MS, toMs: NOW_MS + HOUR_MS }
  const { intervals } = wantedCoverage(
    { ...input(0, 1), wanted: [daily, hourly], nowMs: NOW_MS + HOUR_MS, datasets: [quotes] },
    [{ ...usd, ...hour, entity: 'a', granularity: '1h', state: 'verified' }],
    [],
  )
  const days = intervals.map((one) => {
    const { granularity, entity, state } = one
    return [granularity, entity, state, (one.toMs - one.fromMs) / DAY_MS]
  })
  expect(days).toEqual([
    ['1h', 'a', 'missing', 1 / 24],
    ['1d', 'a', 'verified', 1],
    ['1d', 'b', 'missing', 1],
  ])
})

const bucket = { fromMs: NOW_MS, toMs: NOW_MS + DAY_MS }
const snapshot = { dataset: 'quotes', vsCurrency: 'usd', granularity: '1d', ...bucket } as const

test.each([
  { held: 'a,b', is: ['a,b usd verified', 'c usd missing'] },
  { held: 'b,x', is: ['b,x usd verified', 'a,c usd missing'] },
  // The whole market answers for every coin.
  { held: '', is: [' usd verified'] },
  { held: 'x', is: ['a,b,c usd missing'] },
])('of a snapshot the bucket that holds now counts, id by id: $held', ({ held, is }) => {
  const wanted = wantedOf({
    dataset: 'quotes',
    granularity: '1d',
    entities: ['a', 'b', 'c'],
    everyMs: DAY_MS,
  })
  const others = testDataset({ name: 'others', kind: 'snapshot', granularities: [] })
  const datasets = [quotes, others]
  const { intervals } = wantedCoverage(
    { ...input(0, 1), wanted: [wanted], nowMs: NOW_MS + HOUR_MS, datasets },
    [
      { ...snapshot, entity: held, state: 'verified' },
      { ...snapshot, fromMs: 0, toMs: DAY_MS, entity: 'a,b,c', state: 'verified' },
      { ...snapshot, entity: 'a,b,c', vsCurrency: 'eur', state: 'verified' },
      { ...snapshot, entity: 'a', granularity: '7d', state: 'verified' },
      { ...snapshot, entity: 'a', dataset: 'others', state: 'verified' },
    ],
    [],
  )
  const told = intervals.map(({ entity, vsCurrency, state }) => `${entity} ${vsCurrency} ${state}`)
  expect(told).toEqual(is)
})
