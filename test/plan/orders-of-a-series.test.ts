import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { planSlices } from '../../plan/plan-slices.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const NOW = 1000 * DAY_MS
const chart = testDataset({ name: 'market_chart', kind: 'range' })
const input = planInput({ nowMs: NOW, datasets: [chart] })

function days(fromDay: number, toDay: number, vsCurrencies = ['usd']) {
  const [fromMs, toMs] = [fromDay * DAY_MS, toDay * DAY_MS]
  return wantedOf({ dataset: 'market_chart', granularity: '1d', vsCurrencies, fromMs, toMs })
}

test.each([
  [
    'meets, whichever begins first',
    [days(20, 40), days(30, 60), days(60, 70), days(0, 20)],
    [[0, 'usd', 0, 70]],
  ],
  [
    'meets, and no other currency',
    [days(20, 40), days(50, 60, ['usd', 'eur']), days(45, 55)],
    [
      [0, 'usd', 20, 40],
      [1, 'usd', 45, 60],
      [1, 'eur', 50, 60],
    ],
  ],
  ['meets, and none of an order to come', [days(2000, 2100), days(5, 6)], [[1, 'usd', 5, 6]]],
])('what orders want of a series is one stretch where it %s', (_, wanted, slices) => {
  const plan = planSlices({ ...input, wanted })
  const told = plan.slices.map(({ vsCurrency, fromMs, toMs }, index) => {
    return [plan.orders[index], vsCurrency, fromMs / DAY_MS, toMs / DAY_MS]
  })
  expect(told).toEqual(slices)
})
