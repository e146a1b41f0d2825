import type { DuckDBConnection } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/**
 * Runs many statements in one call of the engine, in order, in the open transaction of the connection. `connection.run`
 * returns to this thread twice per statement, so a thousand statements would wait for all other work.
 *
 * @throws the error of the first statement that fails; later ones do not run
 */
export async function runScript(
  connection: DuckDBConnection,
  statements: readonly string[],
): Promise<void> {
  if (statements.length === 0) return
  // The client has no such call. The handle for the bindings is behind a private name.
  await duckdb.query(connection['connection'], statements.join(';\n'))
}
