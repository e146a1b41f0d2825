import type { DuckDBConnection } from '@duckdb/node-api'

const columnsByConnection = new WeakMap<DuckDBConnection, Map<string, readonly string[]>>()

/**
 * Names of a table's columns in the table's order: a column that an older coinlake did not know was added later and
 * stands last, whatever its place in the spec. Read once a connection, after the migration; [] = no such table in the
 * database of the store.
 */
export async function standingColumns(
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
