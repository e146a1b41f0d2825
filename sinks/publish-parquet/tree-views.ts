import type { TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, quoteName, storedColumns } from '../../datasets/table/ddl.ts'
import {
  NEWEST_SCHEMA,
  newestRelation,
  newestSql,
  newestTablesOf,
} from '../newest/newest-tables.ts'
import { analystStatements } from '../views/analyst-views.ts'
import { viewStatements } from '../views/view-statements.ts'

/**
 * Statements that make a DuckDB session see a Parquet tree like the published file. They make a view per table, and
 * the analyst views and macros whose tables exist. A newest table without a file (old trees, lakes) is made from its
 * history. The tree has no ledger, so views of the ledger are missing.
 *
 * @param readTable SQL that reads a table, as `read_parquet(...)`; null: the table has no file
 * @param otherRelations further relations of the session that analyst views may need
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

/** Leaves out comments, for a session of one query. Comments take most of the statements' time. */
export function withoutComments(statements: readonly string[]): string[] {
  return statements.filter((statement) => !statement.startsWith('COMMENT ON '))
}

function selectOf(table: TableSpec, read: string | null): string {
  const columns = storedColumns(table)
  if (read !== null) return `FROM ${read}`
  const nulls = columns.map(({ name, type }) => `NULL::${duckdbType(type)} AS ${quoteName(name)}`)
  return `SELECT ${nulls.join(', ')} WHERE false`
}
