import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { missedSnapshots } from '../../plan/missed-snapshots.ts'
import type { KnownInterval } from '../../plan/covered.ts'
import { testDataset, wantedOf } from './test-dataset.ts'

const HOUR_MS = GRANULARITY_MS['1h']
const START_MS = 1000 * DAY_MS
const markets = testDataset({ name: 'markets', kind: 'snapshot' })

function taken(
  from: number,
  to: number,
  state: KnownInterval['state'] = 'verified',
): KnownInterval {
  const series = { dataset: 'markets', entity: '', vsCurrency: 'usd', granularity: '1h' as const }
  return { ...series, fromMs: START_MS + from * HOUR_MS, toMs: START_MS + to * HOUR_MS, state }
}

function missed(everyHours: number, known: readonly KnownInterval[]): unknown {
  const wanted = [wantedOf({ dataset: 'markets', everyMs: everyHours * HOUR_MS })]
  // Half an hour into hour 60, half a day into day 3.
  const input = { wanted, datasets: [markets], nowMs: START_MS + 60.5 * HOUR_MS }
  return missedSnapshots(input, known).map(({ granularity, count, fromMs, toMs }) => {
    const hours = [fromMs, toMs].map((ms) => (ms - START_MS) / HOUR_MS)
    return [granularity, count, ...hours]
  })
}

test.for<{ name: string; every: number; known: KnownInterval[]; expected: unknown[] }>([
  { name: 'nothing was ever taken', every: 1, known: [], expected: [] },
  { name: 'all but the one that holds now', every: 1, known: [taken(3, 60)], expected: [] },
  {
    name: 'a hole, one that failed, and the last before now',
    every: 1,
    known: [taken(3, 10), taken(10, 11, 'failed'), taken(12, 59)],
    expected: [['1h', 3, 10, 60]],
  },
  {
    name: 'an hour of each day is enough',
    every: 24,
    known: [taken(5, 6), taken(47, 48)],
    expected: [],
  },
  { name: 'hours into the next day answer it', every: 24, known: [taken(5, 26)], expected: [] },
  { name: 'a day without any', every: 24, known: [taken(5, 6)], expected: [['1d', 1, 24, 48]] },
])('missed snapshots: $name', ({ every, known, expected }) => {
  expect(missed(every, known)).toEqual(expected)
})
