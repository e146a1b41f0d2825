import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import type { Slice } from '../../datasets/dataset.ts'
import { planSlices } from '../../plan/plan-slices.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const NOW = 100 * DAY_MS
const ohlc = testDataset({ name: 'ohlc', kind: 'trailing', reachMs: () => 30 * DAY_MS })
/** Two orders that want the same coins, the second a part of what the first does. */
const orders = [10, 40].map((day) =>
  wantedOf({ dataset: 'ohlc', entities: ['bitcoin', 'nosuch'], fromMs: day * DAY_MS }),
)
const input = planInput({ nowMs: NOW, datasets: [ohlc] })

test('what two orders want and neither can have is counted once', () => {
  const { unreachable, slices } = planSlices({ ...input, wanted: orders })
  const alone = planSlices({ ...input, wanted: orders.slice(0, 1) })
  expect(unreachable).toEqual(alone.unreachable)
  expect(slices).toEqual(alone.slices)
  expect(unreachable.map(({ fromMs, toMs }) => (toMs - fromMs) / DAY_MS)).toEqual([60, 60])
})

test('an id that the source does not know is asked for once, not once an order', () => {
  const unknown = [
    { dataset: 'ohlc', entity: 'nosuch', goneSinceMs: null, askedAtMs: NOW - 2 * DAY_MS },
  ]
  const { slices } = planSlices({ ...input, wanted: orders, unknown })
  expect(slices.filter(({ entity }) => entity === 'nosuch')).toHaveLength(1)
})

const alone = testDataset({ name: 'details', kind: 'snapshot' })
const shared = testDataset({ name: 'quotes', kind: 'snapshot', entitiesPerSlice: 10 })

test.each([
  { dataset: alone, daysAgo: 2, asked: ['bitcoin', 'nosuch'] },
  { dataset: alone, daysAgo: 0, asked: ['bitcoin'] },
  // The unknown id costs no call among others.
  { dataset: shared, daysAgo: 0, asked: ['bitcoin,nosuch'] },
  { dataset: shared, daysAgo: 0, isUncut: true, asked: ['bitcoin'] },
])('an unknown id of a snapshot is asked for when its try is due: $asked', (row) => {
  const { dataset, daysAgo, isUncut = false, asked } = row
  const { name } = dataset
  const order = { dataset: name, granularity: '' as const, everyMs: DAY_MS }
  const wanted = wantedOf({ ...order, entities: ['bitcoin', 'nosuch'] })
  const askedAtMs = NOW - daysAgo * DAY_MS
  const { slices, unreachable } = planSlices({
    ...input,
    wanted: [wanted],
    datasets: [dataset],
    unknown: [{ dataset: name, entity: 'nosuch', goneSinceMs: null, askedAtMs }],
    ...(isUncut && { uncut: true }),
  })
  expect(slices.map(({ entity }) => entity)).toEqual(asked)
  expect(unreachable.map(({ entity, reason }) => [entity, reason])).toEqual([
    ['nosuch', 'unknown_at_source'],
  ])
})

test('provisional rows that cannot be asked for again are there, and no loss', () => {
  const series = { dataset: 'ohlc', vsCurrency: 'usd', granularity: '1h' } as const
  const covered = ['bitcoin', 'nosuch'].flatMap((entity) =>
    [40, 80].map((day) => {
      const [fromMs, toMs] = [day * DAY_MS, (day + 5) * DAY_MS]
      return { ...series, entity, fromMs, toMs, isDueAgain: true as const }
    }),
  )
  const unknown = [{ dataset: 'ohlc', entity: 'nosuch', goneSinceMs: NOW, askedAtMs: NOW }]
  const wanted = orders.map((order) => ({ ...order, toMs: NOW }))
  const { unreachable, slices } = planSlices({ ...input, covered, wanted, unknown })
  const inDays = (all: readonly Slice[]) =>
    all.map(({ entity, fromMs, toMs }) => [entity, fromMs / DAY_MS, toMs / DAY_MS])
  expect(inDays(unreachable)).toEqual([
    ['bitcoin', 10, 40],
    ['bitcoin', 45, 70],
    ['nosuch', 10, 40],
    ['nosuch', 45, 70],
    ['nosuch', 70, 80],
    ['nosuch', 85, 100],
  ])
  expect(inDays(slices)).toEqual([['bitcoin', 70, 100]])
})
