import { expect, test } from 'vitest'
import { RecentRows } from '../../stage/recent-rows.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import { pageOf, ROWS } from './staged-sample.ts'

const { facts, tables } = pageOf(ROWS)
const ONE_BYTES = tables[0]!.rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0)

function page(body: string): StagedPage {
  return {
    ...facts,
    body: { encoding: 'zstd', keptBytes: 1, sizeBytes: 1, sha256: body },
    tables: [],
  }
}

test('the oldest rows leave when there are too many bytes', () => {
  const recent = new RecentRows(2 * ONE_BYTES + 2)
  const there = (): string[] => ['a', 'b', 'c', 'd'].filter((name) => recent.get(page(name)))
  for (const name of ['a', 'b', 'a', 'c']) recent.keep(page(name), tables)
  expect(there()).toEqual(['a', 'c'])
  recent.keep(page('d'), [...tables, ...tables, ...tables])
  expect(there()).toEqual(['a', 'c'])
  recent.forget(page('a'))
  recent.keep(page('d'), tables)
  expect(there()).toEqual(['c', 'd'])
  // As many bytes as there may be.
  recent.keep(page('a'), [...tables, ...tables])
  expect(there()).toEqual(['a'])
})
