import type { DuckDBConnection } from '@duckdb/node-api'
import { machineMemoryBytes } from '../../config/machine-memory.ts'
import { rowsOf } from '../rows-of.ts'

/** The part of the machine's memory that replaces DuckDB's usual limit. */
const SHARE_OF_MACHINE = 0.5

/**
 * Runs `work`, and again with half of the machine's memory if DuckDB reaches its limit. The usual limit is small, so
 * that the process does not grow with the warehouse. A row group of long texts may need more. The limit is restored
 * afterwards.
 *
 * @param work may run twice, and leaves nothing behind when it fails
 */
export async function withMoreMemory<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!/out of memory|failed to allocate/i.test(String(error))) throw error
  }
  const [row] = await rowsOf(connection, "SELECT current_setting('memory_limit') AS usual")
  await setLimit(connection, `${Math.floor(machineMemoryBytes() * SHARE_OF_MACHINE)}B`)
  try {
    return await work()
  } finally {
    // If more than the usual limit is in use, the raised limit stays. The next call tries again.
    await setLimit(connection, String(row?.['usual'])).catch(() => undefined)
  }
}

async function setLimit(connection: DuckDBConnection, limit: string): Promise<void> {
  await connection.run(`SET GLOBAL memory_limit = '${limit}'`)
}
