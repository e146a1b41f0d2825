import { type DuckDBAppender, type DuckDBConnection, DuckDBDateValue } from '@duckdb/node-api'
import type { Column, Row, TableSpec } from '../../../datasets/dataset.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'
import { instant } from '../session.ts'

const DAY_MS = 86_400_000

/**
 * Appends records value by value, for the ledger's few rows. Timestamps and dates are epoch ms. Missing columns are
 * null.
 */
export async function appendRecords(
  connection: DuckDBConnection,
  table: Pick<TableSpec, 'name' | 'columns'>,
  records: readonly Row[],
): Promise<void> {
  if (records.length === 0) return
  const columns = await columnsAsTheyStand(connection, table)
  const appender = await connection.createAppender(table.name)
  try {
    for (const record of records) {
      for (const column of columns) {
        if (column === null) appender.appendNull()
        else appendCell(appender, column, record[column.name] ?? null)
      }
      appender.endRow()
    }
  } finally {
    appender.closeSync()
  }
}

/** A table's columns in its own order; null: a column that this coinlake does not know. */
async function columnsAsTheyStand(
  connection: DuckDBConnection,
  { name, columns }: Pick<TableSpec, 'name' | 'columns'>,
): Promise<readonly (Column | null)[]> {
  const standing = await standingColumns(connection, name)
  const byName = new Map(columns.map((column) => [column.name, column]))
  return standing.map((column) => byName.get(column) ?? null)
}

function appendCell(appender: DuckDBAppender, column: Column, value: Row[string]): void {
  if (value === null) return appender.appendNull()
  switch (column.type) {
    case 'string':
    case 'json':
      return appender.appendVarchar(String(value))
    case 'double':
      return appender.appendDouble(Number(value))
    case 'integer':
      return appender.appendBigInt(BigInt(value))
    case 'boolean':
      return appender.appendBoolean(Boolean(value))
    case 'timestamp':
      return appender.appendTimestampTZ(instant(Number(value)))
    case 'date':
      return appender.appendDate(new DuckDBDateValue(Math.floor(Number(value) / DAY_MS)))
  }
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
