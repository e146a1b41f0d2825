import { DAY_MS } from '../../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { coverageFacts } from '../../../cli/report/facts/coverage-facts.ts'
import { heatMap } from '../../../cli/report/facts/heat-map.ts'
import type { WantedInterval } from '../../../plan/wanted-coverage.ts'

const START_MS = Date.UTC(2024, 0, 1)

function interval(
  entity: string,
  state: WantedInterval['state'],
  [fromDay, toDay]: readonly [number, number],
): WantedInterval {
  return {
    dataset: 'market_chart',
    entity,
    vsCurrency: 'usd',
    granularity: '1d',
    fromMs: START_MS + fromDay * DAY_MS,
    toMs: START_MS + toDay * DAY_MS,
    state,
    reason: null,
    rows: 0,
  }
}

test.each([
  { days: 30, unit: 'day', columns: 30 },
  { days: 124, unit: 'day', columns: 124 },
  { days: 125, unit: 'month', columns: 5 },
  { days: 366 + 365, unit: 'month', columns: 24 },
  { days: 366 * 17, unit: 'year', columns: 18 },
])('$days days: a column a $unit', ({ days, unit, columns }) => {
  const map = heatMap([interval('bitcoin', 'verified', [0, days])], 5)
  expect(map.unit).toBe(unit)
  expect(map.all).toHaveLength(columns)
  expect(map.bounds).toHaveLength(columns + 1)
  expect(new Set(map.all)).toEqual(new Set(['covered']))
})

test.each([
  { states: [], cell: 'covered' },
  { states: [['missing', 0.05]], cell: 'missing_some' },
  { states: [['missing', 0.2]], cell: 'missing_half' },
  { states: [['missing', 0.5]], cell: 'missing_most' },
  { states: [['quarantined', 0.1]], cell: 'quarantined' },
  {
    states: [
      ['missing', 0.05],
      ['quarantined', 0.5],
    ],
    cell: 'missing_some',
  },
  { states: [['provisional', 0.6]], cell: 'provisional' },
  { states: [['provisional', 0.4]], cell: 'covered' },
  { states: [['empty', 0.6]], cell: 'empty' },
  { states: [['unreachable', 0.6]], cell: 'unreachable' },
] as const)('a day with $states is $cell', ({ states, cell }) => {
  let from = 0
  const intervals: WantedInterval[] = []
  for (const [state, share] of states) {
    intervals.push(interval('bitcoin', state, [from, from + share]))
    from += share
  }
  const { all, rows } = heatMap([...intervals, interval('bitcoin', 'verified', [from, 1])], 5)
  expect(all).toEqual([cell])
  expect(rows).toEqual([{ name: 'bitcoin usd', cells: [cell] }])
})

test('the worst series first, the others counted; nothing where nothing is asked for', () => {
  const map = heatMap(
    [
      interval('a', 'verified', [0, 4]),
      interval('b', 'verified', [0, 1]),
      interval('b', 'missing', [1, 2]),
      interval('b', 'verified', [2, 4]),
      interval('c', 'missing', [0, 3]),
      interval('d', 'quarantined', [0, 1]),
    ],
    3,
  )
  expect(map).toMatchObject({ series: 4, more: 1 })
  expect(map.coveredShare).toBeCloseTo(1 - 4 / 12)
  expect(map.rows).toEqual([
    { name: 'c usd', cells: ['missing_most', 'missing_most', 'missing_most', null] },
    { name: 'b usd', cells: ['covered', 'missing_most', 'covered', 'covered'] },
    { name: 'd usd', cells: ['quarantined', null, null, null] },
  ])
  expect(map.all).toEqual(['missing_half', 'missing_most', 'missing_half', 'covered'])
})

test('time of which the source has nothing is asked for, and not there', () => {
  const map = heatMap([interval('a', 'empty', [0, 4]), interval('a', 'verified', [4, 10])], 3)
  expect(map.coveredShare).toBeCloseTo(0.6)
  expect(map.emptyShare).toBeCloseTo(0.4)
})

test('what nobody can get is asked for, and not there', () => {
  const map = heatMap([interval('a', 'unreachable', [0, 8]), interval('a', 'verified', [8, 10])], 3)
  expect(map.coveredShare).toBeCloseTo(0.2)
})

test('a failed snapshot counts once, though the ledger and the wanted intervals have it', async () => {
  const snapshot = (entity: string, isFailed: boolean): WantedInterval => ({
    ...interval(entity, isFailed ? 'missing' : 'verified', [0, 1]),
    dataset: 'coin_details',
    vsCurrency: '',
    reason: isFailed ? 'failed' : null,
  })
  const intervals = Array.from({ length: 10 }, (_, place) => snapshot(`coin-${place}`, place < 4))
  const rows = intervals.map((one) => ({
    dataset: one.dataset,
    entity: one.entity,
    vsCurrency: one.vsCurrency,
    granularity: one.granularity,
    fromMs: one.fromMs,
    toMs: one.toMs,
    state: one.state === 'missing' ? 'failed' : 'verified',
    reason: null,
  }))
  const ledger = { rows: async <T>() => rows as T[] }
  const nowMs = START_MS + DAY_MS / 2
  const { snapshots } = await coverageFacts(ledger, intervals, nowMs)
  expect(snapshots).toMatchObject({ coveredShare: 0.6 })
})
