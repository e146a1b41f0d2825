import { DuckDBInstance } from '@duckdb/node-api'

/**
 * Whether another process has a published file open for writing, as nobody should: no reader gets in
 * while it does.
 */
export async function isHeldByWriter(file: string): Promise<boolean> {
  try {
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
    instance.closeSync()
    return false
  } catch (error) {
    return error instanceof Error && /conflicting lock|could not set lock/i.test(error.message)
  }
}
