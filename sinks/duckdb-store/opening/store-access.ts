import type { DuckDBConnection } from '@duckdb/node-api'

/** Sets the time zone UTC, because some statements turn times into text or months. */
export async function useUtc(connection: DuckDBConnection): Promise<DuckDBConnection> {
  await connection.run("SET TimeZone = 'UTC'")
  return connection
}

/** The way to the tables of a store: a DuckDB file or a DuckLake. */
export interface StoreAccess {
  /** The file or the catalog, without a secret. */
  readonly name: string
  readonly isLake: boolean
  /** A new connection in time zone UTC. Unqualified names are the store's. */
  connect(): Promise<DuckDBConnection>
  /**
   * Runs the work of one writer while no other writes, in this process or elsewhere.
   *
   * @param work calls `confirm` before its commit; `confirm` throws once the lock is lost
   * @throws the errors of `work`, and SinkError when the lock cannot be had
   */
  alone<T>(work: (confirm: () => Promise<void>) => Promise<T>): Promise<T>
  close(): void
}
