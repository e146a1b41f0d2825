import type { TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, quoteName, storedColumns } from '../../datasets/table/ddl.ts'
import { newestSql } from '../newest/newest-sql.ts'
import { NEWEST_SCHEMA, newestRelation, newestTablesOf } from '../newest/newest-tables.ts'
import { analystStatements, viewStatements } from '../publish/view-statements.ts'

/**
 * Statements that make a DuckDB session see a Parquet tree as the published file: a view per table,
 * an empty one for a table that has no rows yet, and every analyst view and macro whose tables are there. A table
 * of newest rows that has no file, as in trees of an older coinlake and in lakes, is looked for in its
 * history. The ledger is no part of the tree, so views of it are missing.
 *
 * @param readTable what a table is read from, e.g. its `read_parquet(...)`; null = it has no file.
 * @param otherRelations relations that the session has, too, and analyst views may need
 */
export function treeViewStatements(
  tables: readonly TableSpec[],
  readTable: (table: TableSpec) => string | null,
  otherRelations: readonly string[] = [],
): string[] {
  const newest = newestTablesOf(tables)
  const names = new Set([...tables.map(({ name }) => name), ...otherRelations])
  return [
    ...tables.flatMap((table) =>
      tableStatements(quoteName(table.name), table, selectOf(table, readTable(table))),
    ),
    `CREATE SCHEMA IF NOT EXISTS ${NEWEST_SCHEMA}`,
    ...newest.flatMap((one) => {
      const read = readTable(one.table)
      const whole = newestSql(one, `main.${quoteName(one.source.name)}`)
      const sql = read === null ? whole : selectOf(one.table, read)
      return tableStatements(newestRelation(one.source), one.table, sql)
    }),
    ...analystStatements(names),
  ]
}

function tableStatements(relation: string, table: TableSpec, sql: string): string[] {
  const { description } = table
  return viewStatements(relation, sql, { description, columns: storedColumns(table) })
}

/** For a session of one question: comments are most of the statements, and of their time. */
export function withoutComments(statements: readonly string[]): string[] {
  return statements.filter((statement) => !statement.startsWith('COMMENT ON '))
}

/** Columns by name, so that a comment finds its column in a file of an older version as well. */
function selectOf(table: TableSpec, read: string | null): string {
  const columns = storedColumns(table)
  if (read !== null) return `FROM ${read}`
  const nulls = columns.map(({ name, type }) => `NULL::${duckdbType(type)} AS ${quoteName(name)}`)
  return `SELECT ${nulls.join(', ')} WHERE false`
}
