import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'
import type { Column, Row, TableSpec } from '../../../datasets/dataset.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'
import { instant } from '../session.ts'

/**
 * Appends records value by value, for the ledger's few rows. Timestamps are epoch ms. Missing columns are null, and so
 * are columns that this coinlake does not know.
 */
export async function appendRecords(
  connection: DuckDBConnection,
  { name, columns }: Pick<TableSpec, 'name' | 'columns'>,
  records: readonly Row[],
): Promise<void> {
  if (records.length === 0) return
  const specs = new Map(columns.map((column) => [column.name, column]))
  const standing = await standingColumns(connection, name)
  const appender = await connection.createAppender(name)
  try {
    for (const record of records) {
      for (const column of standing) appendCell(appender, specs.get(column), record[column] ?? null)
      appender.endRow()
    }
  } finally {
    appender.closeSync()
  }
}

/** DuckDB casts texts to the type of the column. */
function appendCell(appender: DuckDBAppender, spec: Column | undefined, value: Row[string]): void {
  if (spec === undefined || value === null) appender.appendNull()
  else if (spec.type === 'timestamp') appender.appendTimestampTZ(instant(Number(value)))
  else if (spec.type === 'integer') appender.appendBigInt(BigInt(value))
  else appender.appendVarchar(String(value))
}

const columnsByConnection = new WeakMap<DuckDBConnection, Map<string, readonly string[]>>()

/**
 * Names of a table's columns in the table's order. A column that was added to an older store stands last, whatever its
 * place in the spec. Read once a connection, after the migration.
 */
async function standingColumns(
  connection: DuckDBConnection,
  table: string,
): Promise<readonly string[]> {
  const byTable = columnsByConnection.get(connection) ?? new Map<string, readonly string[]>()
  columnsByConnection.set(connection, byTable)
  const before = byTable.get(table)
  if (before !== undefined) return before
  // duckdb_columns() would list the columns of all tables first.
  const names = (await connection.run(`FROM ${quoteName(table)} LIMIT 0`)).columnNames()
  byTable.set(table, names)
  return names
}
