import { DuckDBInstance } from '@duckdb/node-api'
import {
  lockToReading,
  readingOptions,
  type ReadablePaths,
} from '../../service/warehouse/lock-to-reading.ts'
import { loadExtension } from '../../sinks/duckdb-store/lake/load-extension.ts'
import { setS3Secret } from '../../sinks/duckdb-store/lake/s3-secret.ts'
import { withoutComments } from '../../sinks/publish-parquet/tree-views.ts'

interface PublishedFiles {
  files: readonly string[]
  /** The bucket that has the files, with the folder of DuckDB's extensions; null = folders of this machine. */
  bucket: { extensionDir: string | null } | null
  statements: readonly string[]
}

/**
 * Opens published files as a database of views. The session is locked to these files and to `readable`.
 *
 * @throws SinkError STORE_EXTENSION; StageError STAGE_S3_DENIED; DuckDB's error for a file that does not fit its view
 */
export async function openFiles(
  { files, bucket, statements }: PublishedFiles,
  readable: ReadablePaths,
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', readingOptions())
  const connection = await instance.connect()
  try {
    if (bucket !== null) {
      await loadExtension(connection, 'httpfs', bucket.extensionDir)
      await setS3Secret(connection)
    }
    await lockToReading(instance, { ...readable, files: [...files, ...(readable.files ?? [])] })
    await connection.run(withoutComments(statements).join(';\n'))
    connection.closeSync()
    return instance
  } catch (error) {
    connection.closeSync()
    instance.closeSync()
    throw error
  }
}
