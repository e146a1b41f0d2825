import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../../config/atomic-file.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/ddl.ts'
import { READERS_MODE } from '../publish/durable-files.ts'
import type { Manifest } from './manifest.ts'
import { treeViewStatements } from './tree-views.ts'

/** Name of the file in the tree. */
export const VIEWS_SQL = 'views.sql'

const HEAD = `-- Tables and analyst views over this Parquet tree, for DuckDB. Written by coinlake with the files.
--   cd <this folder> && duckdb -init ${VIEWS_SQL}
-- From another folder say first: SET file_search_path = '<this folder>';
`

/**
 * Writes the file that shows the tree as the published DuckDB file. Paths are relative, so that the
 * tree can be moved, and one pattern a table, so that a new month needs no new views. Returns
 * whether it was not so already.
 */
export async function writeViewsSql(
  dir: string,
  tables: readonly TableSpec[],
  files: Manifest['files'],
): Promise<boolean> {
  const published = new Set(files.map(({ table }) => table))
  const text = viewsSql(HEAD, tables, ({ name }) =>
    published.has(name)
      ? `read_parquet(${quoteText(`${name}/*.parquet`)}, union_by_name = true)`
      : null,
  )
  const path = join(dir, VIEWS_SQL)
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return false
  await writeDurably(path, text, { mode: READERS_MODE })
  return true
}

/** A script that makes these views. @param head comment lines @param readTable see treeViewStatements */
export function viewsSql(
  head: string,
  tables: readonly TableSpec[],
  readTable: (table: TableSpec) => string | null,
): string {
  const statements = treeViewStatements(tables, readTable)
  return `${head}\n${statements.map((statement) => `${statement};\n`).join('')}`
}

/** `read_parquet(...)` of exactly these files. @param place of the paths: a folder or `s3://bucket/prefix` */
export function readFilesSql(place: string, files: readonly { path: string }[]): string {
  const paths = files.map(({ path }) => quoteText(`${place}/${path}`))
  return `read_parquet([${paths.join(', ')}], union_by_name = true)`
}
