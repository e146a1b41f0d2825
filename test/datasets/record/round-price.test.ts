import { expect, test } from 'vitest'
import { roundPrice } from '../../../datasets/record/round-price.ts'

test.each<[number, string, number]>([
  [76975.5, '0', 76976],
  [-2.5, '0', -3],
  [1.005, '2', 1],
  [0.000012345, '7', 0.0000123],
  [1.1792020782950375e-11, '18', 1.1792021e-11],
  [1e-19, '18', 0],
  [1e300, '2', 1e300],
  [10604984537181484, '3', 10604984537181484],
  [0.1, 'full', 0.1],
])('%d to %s places is %d', (price, precision, rounded) => {
  expect(roundPrice(price, { precision })).toBe(rounded)
})

test('nothing is rounded unless asked, and null is null', () => {
  expect(roundPrice(0.123456789, {})).toBe(0.123456789)
  expect(roundPrice(null, { precision: '2' })).toBeNull()
})
