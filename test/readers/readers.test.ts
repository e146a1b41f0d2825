import { beforeAll, describe, expect, test } from 'vitest'
import { DUCKDB_VERSIONS } from '../../bench/readers/duckdb-readers.ts'
import { compareReaders, type ReadersFound } from '../../bench/readers/readers.ts'
import { TREE_READERS } from '../../bench/readers/tree-readers.ts'
import { coverageView } from '../../sinks/ledger/coverage-view.ts'
import { analystMacros, analystViews } from '../../sinks/views/analyst-views.ts'

/** Eleven readers read some 870,000 cells each, and each is installed once: nothing here waits by itself. */
const TIMEOUT_MS = 1_800_000
let found: ReadersFound

beforeAll(async () => {
  found = await compareReaders({ print: (line) => console.log(line) })
}, TIMEOUT_MS)
test('what is read has every view and macro, and rows in each of them', () => {
  const named = (kind: string): string[] =>
    found.relations.filter((one) => one.kind === kind).map(({ name }) => name)
  expect(new Set(named('view'))).toEqual(
    new Set([coverageView.name, ...analystViews.map(({ name }) => name)]),
  )
  expect(new Set(named('macro').map((name) => name.split(' ')[0]))).toEqual(
    new Set(analystMacros.map(({ name }) => name)),
  )
  const empty = found.relations.filter(({ rows }) => rows.length === 0).map(({ name }) => name)
  expect(empty).toEqual(['_universes'])
})

const NOTHING = { differing: 0, failing: 0, examples: [] }

describe.each(DUCKDB_VERSIONS)('DuckDB $version', ({ version, isFullyPromised }) => {
  test('answers the same from each table and view, and where it is promised otherwise', (context) => {
    const one = found.duckdb.find((each) => each.version.version === version)
    const reading = one?.reading ?? 'was not asked'
    if (typeof reading === 'string') {
      context.skip(reading)
      return
    }
    expect(reading.opened).toMatchObject(NOTHING)
    expect(reading.opened.cells).toBeGreaterThan(0)
    if (!isFullyPromised) return
    for (const part of Object.values(reading)) expect(part).toMatchObject(NOTHING)
  })
})

test.for(TREE_READERS)('%s reads the rows of the store in the Parquet tree', (reader, context) => {
  const reading = found.tree.find((each) => each.reader === reader)?.reading ?? 'was not asked'
  if (typeof reading === 'string') {
    context.skip(reading)
    return
  }
  expect(reading).toMatchObject(NOTHING)
  expect(reading.cells).toBeGreaterThan(0)
})
