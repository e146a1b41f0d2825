import { expect, test } from 'vitest'
import { compareCells, plainText } from '../../../bench/readers/reader-cells.ts'
import type { CellText, Expected } from '../../../bench/readers/reader-cells.ts'

/** Coins with a price, and with a sum that may differ in its last digits. */
function prices(rows: readonly (readonly [string, number | null, number | null])[]): Expected {
  const text = (value: string | number | null): CellText =>
    value === null ? null : plainText(value)
  return {
    name: 'prices',
    columns: ['coin_id VARCHAR', 'price DOUBLE', 'sum DOUBLE'],
    rows: rows.map((row) => row.map(text)),
    roundedPlaces: new Set([2]),
  }
}
const AMP = ['amp', 0, 0.3] as const
const BITCOIN = ['bitcoin', 1, null] as const
const EXPECTED = prices([['amp', 0, 0.1 + 0.2], BITCOIN])

test('rows in another order, and a sum that differs in its last digit, are the same', () => {
  const found = prices([BITCOIN, AMP])
  expect(compareCells([EXPECTED], [found])).toMatchObject({ cells: 6, differing: 0, examples: [] })
})

test.each([
  ['the sign of zero', [['amp', -0, 0.3], BITCOIN], 1],
  ['the last digit of a plain value', [AMP, ['bitcoin', 1 + Number.EPSILON, null]], 1],
  ['a sum beyond rounding', [['amp', 0, 0.3 + 1e-11], BITCOIN], 1],
  ['an infinite sum', [['amp', 0, Infinity], BITCOIN], 1],
  ['a sum in place of NULL', [AMP, ['bitcoin', 1, 0]], 1],
  ['NULL in place of a sum', [['amp', 0, null], BITCOIN], 1],
  ['a row that is missing', [BITCOIN], 3],
  ['a row that comes twice', [AMP, AMP, BITCOIN], 3],
] as const)('%s is told', (_, rows, differing) => {
  const compared = compareCells([EXPECTED], [prices(rows)])
  expect(compared).toMatchObject({ differing, failing: 0 })
  expect(compared.examples).toHaveLength(1)
})

test('an error, another type and no answer count with all cells', () => {
  const [columns] = [['coin_id VARCHAR', 'price FLOAT', 'sum DOUBLE']]
  for (const found of [
    [{ name: 'prices', error: 'no such table' }],
    [{ ...EXPECTED, columns }],
    [],
  ]) {
    expect(compareCells([EXPECTED], found)).toMatchObject({ differing: 6, failing: 1 })
  }
})
