import { type DuckDBConnection, DuckDBInstance, type DuckDBResultReader } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'

/** A published file, which has to be opened READ_ONLY, or one that nobody else has open. */
type Access = 'READ_ONLY' | 'READ_WRITE'

/** A DuckDB in memory, closed after the test; for all tests of a file or group: `memoryDuckdb(afterAll)`. */
export async function memoryDuckdb(
  whenDone: (undo: () => void) => void = onTestFinished,
): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  whenDone(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return connection
}

/** Works in a DuckDB file of its own, or in `:memory:`, and closes it. */
export async function inDuckdb<T>(
  place: string,
  work: (connection: DuckDBConnection) => Promise<T>,
  access: Access = 'READ_WRITE',
): Promise<T> {
  const instance = await DuckDBInstance.create(place, { access_mode: access })
  const connection = await instance.connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Runs SQL in a DuckDB file, which is closed then; the answer is the last statement's. */
export function askDuckdb(
  place: string,
  sql: string,
  access?: Access,
): Promise<DuckDBResultReader> {
  return inDuckdb(place, (connection) => connection.runAndReadAll(sql), access)
}
