import { askPython } from './ask-python.ts'
import { OPENED, type PublishedRelation } from './published-relations.ts'
import { pythonWith } from '../python-venv.ts'
import { compareCells, type Compared } from './reader-cells.ts'

/** Without this package Python gets no TIMESTAMPTZ from DuckDB. */
const PYTZ = 'pytz==2025.2'

/**
 * The newest patch of each minor version on PyPI. 1.4 has long support. Tables and views of an opened file are always
 * promised; `isFullyPromised`: also macros and all of an attached file.
 */
export const DUCKDB_VERSIONS = [
  { version: '1.0.0', isFullyPromised: false },
  { version: '1.1.3', isFullyPromised: false },
  { version: '1.2.2', isFullyPromised: false },
  { version: '1.3.2', isFullyPromised: false },
  { version: '1.4.5', isFullyPromised: true },
  { version: '1.5.6', isFullyPromised: true },
  { version: '2.0.0', isFullyPromised: true },
]
export type DuckdbVersion = (typeof DUCKDB_VERSIONS)[number]

/** The findings of one version, by column of the result: tables and views, then macros; of an opened, then of an ATTACHed file. */
export type DuckdbReading = Record<'opened' | 'macros' | 'ATTACHed' | 'its macros', Compared>

/** Reads all relations of a published file with a version of DuckDB, opened in both ways. Text = not available, and why. */
export async function readByDuckdb(
  { version }: DuckdbVersion,
  file: string,
  relations: readonly PublishedRelation[],
): Promise<DuckdbReading | string> {
  const made = pythonWith([`duckdb==${version}`, PYTZ])
  if (typeof made === 'string') return made
  const ways = ['directly', 'attached'] as const
  const sessions = ways.map((way) => ({
    ...OPENED[way](file),
    relations: relations.map(({ name, sql }) => ({ name, sql: sql[way] })),
  }))
  const found = await askPython(made.python, ['read_duckdb.py'], sessions)
  const directly = found.slice(0, relations.length)
  const attached = found.slice(relations.length)
  const { macros = [], others = [] } = Object.groupBy(relations, ({ kind }) =>
    kind === 'macro' ? 'macros' : 'others',
  )
  return {
    opened: compareCells(others, directly),
    macros: compareCells(macros, directly),
    ATTACHed: compareCells(others, attached),
    'its macros': compareCells(macros, attached),
  }
}
