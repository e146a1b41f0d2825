import { spawnSync } from 'node:child_process'
import { askPython } from './ask-python.ts'
import { OPENED } from './published-relations.ts'
import type { PublishedRelation } from './published-relations.ts'
import { pythonWith } from '../python-venv.ts'
import { compareCells } from './reader-cells.ts'
import type { Compared, Found } from './reader-cells.ts'

/** Without this package Python gets no TIMESTAMPTZ from DuckDB. */
const PYTZ = 'pytz==2025.2'

/** A version of DuckDB on PyPI. */
export interface DuckdbVersion {
  version: string
  /** Whether coinlake also promises macros, and all relations of an attached file, for this version. */
  isFullyPromised: boolean
  /** Whether coinlake promises tables and views of a directly opened file for this version. */
  isPromised: boolean
}

/** The newest patch of each minor version on PyPI. 1.4 has long support. */
export const DUCKDB_VERSIONS: readonly DuckdbVersion[] = [
  { version: '1.0.0', isFullyPromised: false, isPromised: true },
  { version: '1.1.3', isFullyPromised: false, isPromised: true },
  { version: '1.2.2', isFullyPromised: false, isPromised: true },
  { version: '1.3.2', isFullyPromised: false, isPromised: true },
  { version: '1.4.5', isFullyPromised: true, isPromised: true },
  { version: '1.5.6', isFullyPromised: true, isPromised: true },
  { version: '2.0.0', isFullyPromised: true, isPromised: true },
]

/** The findings of one version, by how the file was opened. */
export interface DuckdbReading {
  directly: { relations: Compared; macros: Compared }
  attached: { relations: Compared; macros: Compared }
}

/** Reads all relations of a published file with a version of DuckDB, opened in both ways. Text = not available, and why. */
export async function readByDuckdb(
  { version }: DuckdbVersion,
  file: string,
  relations: readonly PublishedRelation[],
): Promise<DuckdbReading | string> {
  const made = pythonWith([`duckdb==${version}`, PYTZ], process.env)
  if (typeof made === 'string') return made
  const ways = ['directly', 'attached'] as const
  const sessions = ways.map((way) => ({
    ...OPENED[way](file),
    relations: relations.map(({ name, sql }) => ({ name, sql: sql[way] })),
  }))
  const found = await askPython(made.python, ['read_duckdb.py'], sessions)
  const compared = (answers: readonly Found[]): DuckdbReading['directly'] => ({
    relations: compareCells(
      relations.filter(({ kind }) => kind !== 'macro'),
      answers,
    ),
    macros: compareCells(
      relations.filter(({ kind }) => kind === 'macro'),
      answers,
    ),
  })
  return {
    directly: compared(found.slice(0, relations.length)),
    attached: compared(found.slice(relations.length)),
  }
}

/** The newest DuckDB on PyPI; null = it is in DUCKDB_VERSIONS, or PyPI does not answer. */
export function newerDuckdb(print: (line: string) => void): DuckdbVersion | null {
  const asked = ['-m', 'pip', 'index', 'versions', 'duckdb', '--disable-pip-version-check']
  const { stdout, stderr, error } = spawnSync('python3', asked, { encoding: 'utf8' })
  const version = /^duckdb \((\S+)\)/m.exec(stdout ?? '')?.[1]
  if (version === undefined) {
    const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
    print(`the newest DuckDB is left out: pip index versions duckdb: ${why}`)
    return null
  }
  if (DUCKDB_VERSIONS.some((known) => known.version === version)) return null
  return { version, isFullyPromised: false, isPromised: false }
}
