import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import type { Manifest } from './manifest.ts'
import { treeViewStatements } from './tree-views.ts'

export const VIEWS_SQL = 'views.sql'

const HEAD = `-- Tables and analyst views over this Parquet tree, for DuckDB. Written by coinlake with the files.
--   cd <this folder> && duckdb -init ${VIEWS_SQL}
-- From another folder say first: SET file_search_path = '<this folder>';
`

/**
 * The script that shows the tree like the published DuckDB file. Paths are relative, so the tree can be moved. Each
 * table is one file pattern, so a new month needs no new view.
 */
export function treeViewsSql(tables: readonly TableSpec[], files: Manifest['files']): string {
  const published = new Set(files.map(({ table }) => table))
  return viewsSql(HEAD, tables, ({ name }) =>
    published.has(name)
      ? `read_parquet(${quoteText(`${name}/*.parquet`)}, union_by_name = true)`
      : null,
  )
}

/** A script that makes these views. @param head comment lines @param readTable as in treeViewStatements */
export function viewsSql(
  head: string,
  tables: readonly TableSpec[],
  readTable: (table: TableSpec) => string | null,
): string {
  const statements = treeViewStatements(tables, readTable)
  return `${head}\n${statements.map((statement) => `${statement};\n`).join('')}`
}

/** Reads exactly the files of a manifest. @param place of the paths: a folder or `s3://bucket/prefix` */
export function readFilesSql(
  place: string,
  files: Manifest['files'],
): (table: Pick<TableSpec, 'name'>) => string | null {
  const filesOf = Map.groupBy(files, ({ table }) => table)
  return ({ name }) => {
    const paths = filesOf.get(name)?.map(({ path }) => quoteText(`${place}/${path}`))
    return paths === undefined ? null : `read_parquet([${paths.join(', ')}], union_by_name = true)`
  }
}
