import { expect, test } from 'vitest'
import { DAY_MS } from '../../api/granularity.ts'
import { planSlices } from '../../plan/plan-slices.ts'
import { testDataset, wantedOf } from './test-dataset.ts'

const NOW = 100 * DAY_MS
const ohlc = testDataset({ name: 'ohlc', kind: 'trailing', reachMs: () => 30 * DAY_MS })
/** Two orders that want the same coins, the second a part of what the first does. */
const orders = [10, 40].map((day) =>
  wantedOf({ dataset: 'ohlc', entities: ['bitcoin', 'nosuch'], fromMs: day * DAY_MS }),
)
const input = { covered: [], nowMs: NOW, datasets: [ohlc], maxHistoryDays: null, universes: {} }

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
