import type { DuckDBInstance } from '@duckdb/node-api'
import { loadExtension } from '../../sinks/duckdb-store/lake/load-extension.ts'
import { setS3Secret } from '../../sinks/duckdb-store/lake/s3-secret.ts'

/**
 * Makes `s3://` paths readable for all connections of an instance.
 *
 * @throws SinkError STORE_EXTENSION; StageError STAGE_S3_DENIED
 */
export async function reachBucket(
  instance: DuckDBInstance,
  extensionDir: string | null,
): Promise<void> {
  const connection = await instance.connect()
  try {
    await loadExtension(connection, 'httpfs', extensionDir)
    await setS3Secret(connection)
  } finally {
    connection.closeSync()
  }
}
