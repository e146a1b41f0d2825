import { MINUTE_MS } from '../../config/values/duration.ts'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { DUCKDB_VERSIONS, readByDuckdb } from './duckdb-readers.ts'
import type { DuckdbReading, DuckdbVersion } from './duckdb-readers.ts'
import type { Cell, FigureTable } from '../figure-table.ts'
import { publishedRelations, type PublishedRelation } from './published-relations.ts'
import type { Compared, Expected } from './reader-cells.ts'
import { exportMarketTwice, LOOKS_MS } from './readers-store.ts'
import { readTree, TREE_READERS } from './tree-readers.ts'
import { inDuckdb } from '../../test/parts/duckdb.ts'

export const readers: Benchmark = {
  name: 'readers',
  measures: 'every cell of a publication in DuckDB 1.0 to 2.0, polars, pyarrow, pandas, hyparquet',
  args: '',
  takes: '4 min',
  run: async (context) => figuresOf(await compareReaders(context)),
}

/** The findings of each reader; the reason as text when a reader is not available. */
export interface ReadersFound {
  relations: readonly PublishedRelation[]
  duckdb: { version: DuckdbVersion; reading: DuckdbReading | string }[]
  tree: { reader: string; tables: number; reading: Compared | string }[]
}

export async function compareReaders({
  print,
}: Pick<BenchContext, 'print'>): Promise<ReadersFound> {
  print('exporting a simulated market twice ...')
  const lake = await exportMarketTwice()
  try {
    const { duckdbLink, parquetLink, storeFile } = lake.paths
    const file = realpathSync(duckdbLink)
    // A minute after each load: before and after the revisions were known.
    const moments = LOOKS_MS.map((lookMs) => lookMs + MINUTE_MS)
    const relations = await inDuckdb(
      file,
      (published) =>
        inDuckdb(storeFile, (store) => publishedRelations(published, store, moments), 'READ_ONLY'),
      'READ_ONLY',
    )
    const found: ReadersFound = { relations, duckdb: [], tree: [] }
    for (const version of DUCKDB_VERSIONS) {
      print(`DuckDB ${version.version} ...`)
      const reading = await readByDuckdb(version, file, relations)
      found.duckdb.push({ version, reading })
      tell(print, reading)
    }
    const tree = realpathSync(parquetLink)
    const tables: Expected[] = relations.filter(({ name }) => existsSync(join(tree, name)))
    for (const reader of TREE_READERS) {
      print(`${reader} ...`)
      const reading = await readTree(reader, tree, tables)
      found.tree.push({ reader, tables: tables.length, reading })
      tell(print, reading)
    }
    return found
  } finally {
    await lake.remove()
  }
}

/** Prints why a reader is not available, or its first differences. */
function tell(print: BenchContext['print'], reading: DuckdbReading | Compared | string): void {
  if (typeof reading === 'string') return print(`  left out: ${reading}`)
  const parts: Record<string, Compared> = 'opened' in reading ? reading : { tables: reading }
  for (const [name, { examples }] of Object.entries(parts)) {
    const [first] = examples
    if (first !== undefined) print(`  ${name}: ${examples.length} differ, first ${first}`)
  }
}

function figuresOf({ relations, duckdb, tree }: ReadersFound): BenchFigures {
  const count = (kind: PublishedRelation['kind']): number =>
    relations.filter((one) => one.kind === kind).length
  const versions: FigureTable = {
    title: 'DuckDB: cells that differ',
    rowsAre: 'version',
    columns: ['cells', 'opened', 'macros', 'ATTACHed', 'its macros'].map((name) => ({ name })),
    rows: duckdb.map(({ version, reading }) => ({
      name: version.version,
      cells: duckdbCells(version, reading),
    })),
  }
  const trees: FigureTable = {
    title: 'Parquet tree: cells that differ',
    rowsAre: 'reader',
    columns: [{ name: 'tables' }, { name: 'cells' }, { name: 'differing' }],
    rows: tree.map(({ reader, tables, reading }) => ({
      name: reader.replace('==', ' '),
      cells:
        typeof reading === 'string'
          ? [tables, null, { value: null, atMost: 0 }]
          : [tables, reading.cells, { value: reading.differing, atMost: 0 }],
    })),
  }
  const macros = count('macro') / LOOKS_MS.length
  return {
    scenario: `${count('table')} tables, ${count('view')} views and ${macros} macros (at ${LOOKS_MS.length} moments) of a store that was loaded twice`,
    tables: [versions, trees],
  }
}

function duckdbCells({ isFullyPromised }: DuckdbVersion, reading: DuckdbReading | string): Cell[] {
  const goals = [true, isFullyPromised, isFullyPromised, isFullyPromised]
  if (typeof reading === 'string') {
    return [null, ...goals.map((isGoal) => (isGoal ? { value: null, atMost: 0 } : null))]
  }
  return [
    reading.opened.cells + reading.macros.cells,
    ...Object.values(reading).map(({ differing, failing }, at): Cell => {
      if (goals[at] === true) return { value: differing, atMost: 0 }
      return failing > 0 ? `${failing} fail` : differing
    }),
  ]
}
