import { expect, test } from 'vitest'
import type { Row } from '../../../datasets/dataset.ts'
import { knownSlices } from '../../../sinks/ledger/known-slices.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

test('a generation of a slice is loaded when any run has loaded it, and stays so when damaged; planned and failed ones are not', async () => {
  const connection = await memoryDuckdb()
  await connection.run(`CREATE TABLE _slices (slice_id VARCHAR, generation BIGINT, state VARCHAR, code VARCHAR);
    INSERT INTO _slices VALUES ('ab1', 0, 'failed', 'X'), ('ab1', 0, 'loaded', NULL), ('ab1', 1, 'failed', 'X'),
      ('ab2', 0, 'planned', NULL), ('ab3', 0, 'empty', NULL), ('ab4', 2, 'provisional', NULL), ('ac1', 0, 'loaded', NULL),
      ('ab5', 0, 'failed', 'SLICE_DAMAGED')`)
  const known = knownSlices(
    async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[],
  )
  expect(await known('ab')).toEqual(
    new Map([
      ['ab1-g0', 'loaded'],
      ['ab1-g1', 'failed'],
      ['ab2-g0', 'planned'],
      ['ab3-g0', 'loaded'],
      ['ab4-g2', 'loaded'],
      ['ab5-g0', 'loaded'],
    ]),
  )
})
