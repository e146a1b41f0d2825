import type { TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, quoteName, storedColumns } from '../../datasets/ddl.ts'
import { analystViews } from '../views/analyst-views.ts'
import { commentStatements } from '../publish/comment-statements.ts'

/**
 * Statements that make a DuckDB session see a Parquet tree as the published file: a view per table,
 * an empty one for a table that has no rows yet, and every analyst view whose tables are there. The
 * ledger is no part of the tree, so views of it are missing.
 *
 * @param readTable the `read_parquet(...)` of a table; null = it has no file.
 */
export function treeViewStatements(
  tables: readonly TableSpec[],
  readTable: (table: TableSpec) => string | null,
): string[] {
  const names = new Set(tables.map(({ name }) => name))
  const views = analystViews.filter(({ needs }) => needs.every((name) => names.has(name)))
  return [
    ...tables.flatMap((table) => {
      const described = { description: table.description, columns: storedColumns(table) }
      return created(table.name, selectOf(table, readTable(table)), described)
    }),
    ...views.flatMap((view) => created(view.name, view.sql, view)),
  ]
}

function created(
  name: string,
  sql: string,
  about: Parameters<typeof commentStatements>[2],
): string[] {
  return [
    `CREATE OR REPLACE VIEW ${quoteName(name)} AS ${sql}`,
    ...commentStatements('VIEW', quoteName(name), about),
  ]
}

/** Columns by name, so that a comment finds its column in a file of an older version as well. */
function selectOf(table: TableSpec, read: string | null): string {
  const columns = storedColumns(table)
  if (read !== null) return `FROM ${read}`
  const nulls = columns.map(({ name, type }) => `NULL::${duckdbType(type)} AS ${quoteName(name)}`)
  return `SELECT ${nulls.join(', ')} WHERE false`
}
