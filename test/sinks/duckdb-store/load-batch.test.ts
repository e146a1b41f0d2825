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
  [24, [24]],
  // Two row groups are 245,760 rows.
  [25, [24, 1]],
  [60, [24, 24, 12]],
])('%i slices of 10,000 rows are loaded in transactions of %j slices', (count, expected) => {
  expect(cutLoad(slices(count)).map((batch) => batch.length)).toEqual(expected)
})
