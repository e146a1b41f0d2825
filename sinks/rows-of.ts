import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'

/** All rows of a SELECT. @throws the errors of DuckDB */
export async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
): Promise<Record<string, DuckDBValue>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjects()
}
