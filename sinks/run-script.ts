import type { DuckDBConnection } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/**
 * Runs many statements in one call of the engine, in their order, in the connection's transaction, if
 * any. `connection.run` comes back to this thread twice for each statement: a thousand of them waited for
 * whatever else the process had to do at its start.
 *
 * @throws whatever DuckDB throws for the first statement that fails; those behind it have not run.
 */
export async function runScript(
  connection: DuckDBConnection,
  statements: readonly string[],
): Promise<void> {
  if (statements.length === 0) return
  // The client has no call of its own for this, and the handle that the bindings want is behind a private name.
  await duckdb.query(connection['connection'], statements.join(';\n'))
}
