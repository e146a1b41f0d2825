import { expect, test } from 'vitest'
import { recentRows, rowsName } from '../../stage/recent-rows.ts'
import { pageOf, ROWS } from './staged-sample.ts'

const { facts, tables } = pageOf(ROWS)
const ONE_BYTES = tables[0]!.rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0)

function named(sha256: string): string {
  const body = { encoding: 'zstd' as const, keptBytes: 1, sizeBytes: 1, sha256 }
  return rowsName({ ...facts, body, tables: [] })
}

test('the oldest rows leave when there are too many bytes', () => {
  const recent = recentRows(2 * ONE_BYTES + 2)
  const there = (): string[] => ['a', 'b', 'c', 'd'].filter((name) => recent.get(named(name)))
  for (const name of ['a', 'b', 'a', 'c']) recent.set(named(name), tables)
  expect(there()).toEqual(['a', 'c'])
  recent.set(named('d'), [...tables, ...tables, ...tables])
  expect(there()).toEqual(['a', 'c'])
  recent.delete(named('a'))
  recent.set(named('d'), tables)
  expect(there()).toEqual(['c', 'd'])
  // As many bytes as there may be.
  recent.set(named('a'), [...tables, ...tables])
  expect(there()).toEqual(['a'])
})
