import type { DuckDBConnection } from '@duckdb/node-api'

/** Sets the time zone UTC, because some statements turn times into text or months. */
export async function useUtc(connection: DuckDBConnection): Promise<DuckDBConnection> {
  await connection.run("SET TimeZone = 'UTC'")
  return connection
}
