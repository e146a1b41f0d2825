import type { DuckDBConnection } from '@duckdb/node-api'

/** Runs `work` in one transaction: all its reads see one moment, and all its changes are committed or none. */
export async function inTransaction<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await connection.run('BEGIN')
    const result = await work()
    await connection.run('COMMIT')
    return result
  } catch (error) {
    // A failed COMMIT has rolled back. Only the first error matters.
    await connection.run('ROLLBACK').catch(() => undefined)
    throw error
  }
}
