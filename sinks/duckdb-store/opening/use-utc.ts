import type { DuckDBConnection } from '@duckdb/node-api'

/** Times become text and months in a few statements: never in the zone of the machine. */
export async function useUtc(connection: DuckDBConnection): Promise<DuckDBConnection> {
  await connection.run("SET TimeZone = 'UTC'")
  return connection
}
