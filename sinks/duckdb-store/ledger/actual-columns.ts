import type { DuckDBConnection } from '@duckdb/node-api'

const columnsByConnection = new WeakMap<DuckDBConnection, Map<string, readonly string[]>>()

/**
 * Names of a table's columns in the order that the table has in the store. A column that an upgrade added comes last
 * there, wherever the spec has it. Read once per connection, after the migration. [] = no such table in the store.
 */
export async function actualColumns(
  connection: DuckDBConnection,
  table: string,
): Promise<readonly string[]> {
  const byTable = columnsByConnection.get(connection) ?? new Map<string, readonly string[]>()
  columnsByConnection.set(connection, byTable)
  const before = byTable.get(table)
  if (before !== undefined) return before
  const found = await connection.runAndReadAll(
    `SELECT column_name FROM duckdb_columns()
     WHERE table_name = $table AND database_name = current_database() ORDER BY column_index`,
    { table },
  )
  const names = found.getRows().map(([name]) => String(name))
  if (names.length > 0) byTable.set(table, names)
  return names
}
