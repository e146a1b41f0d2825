import { expect, test } from 'vitest'
import { cutLoad } from '../../../sinks/duckdb-store/load/load-batch.ts'
import type { StagedSlice } from '../../../sinks/duckdb-store/load/load-batch.ts'

const ROWS_A_SLICE = 10_000

function slices(count: number): StagedSlice[] {
  const pages = [{ tables: [{ rowCount: ROWS_A_SLICE }] }]
  return Array.from({ length: count }, () => ({ pages }) as unknown as StagedSlice)
}

test.each([
  [0, []],
  [1, [1]],
  [12, [12]],
  // More than a row group, and less than two of them.
  [13, [12, 1]],
  [24, [12, 12]],
  [25, [25]],
  [50, [50]],
  [60, [50, 10]],
  [120, [50, 50, 20]],
])('%i slices of 10,000 rows are loaded in transactions of %j slices', (count, expected) => {
  expect(cutLoad(slices(count)).map((batch) => batch.length)).toEqual(expected)
})
