import { availableParallelism } from 'node:os'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import pLimit from 'p-limit'
import { isS3 } from '../../../stage/s3-files.ts'
import { asSinkError } from '../as-sink-error.ts'
import { attachLake, LAKE, METADATA_DATABASE } from './attach-lake.ts'
import { lakeLock } from './lake-lock.ts'
import type { LakeSettings } from './lake-settings.ts'
import { setS3Secret } from './s3-secret.ts'
import { type StoreAccess, useUtc } from '../opening/store-access.ts'

/** Larger than for a DuckDB file, because Parquet passes through buffers. */
const MEMORY_LIMIT = '512MiB'
const MAX_THREADS = 4
/** Credentials of a role last at least 15 minutes. */
const RENEW_SECRET_EVERY_MS = 60_000

/**
 * Opens or makes a DuckLake. Parquet files hold its rows. Several processes share its catalog, which names the valid
 * files.
 *
 * @throws SinkError STORE_EXTENSION, STORE_CATALOG_UNREACHABLE, ...
 */
export async function openLakeAccess(settings: LakeSettings): Promise<StoreAccess> {
  const { catalog, data, tempDir } = settings
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    threads: String(Math.min(MAX_THREADS, availableParallelism())),
    temp_directory: tempDir,
  })
  const inTurn = pLimit(1)
  const own: DuckDBConnection[] = []
  const connect = async (): Promise<DuckDBConnection> => {
    const connection = await instance.connect()
    own.push(connection)
    return connection
  }
  let renewing: NodeJS.Timeout | undefined
  const close = (): void => {
    clearInterval(renewing)
    for (const connection of own) connection.closeSync()
    instance.closeSync()
  }
  try {
    const ownConnection = await connect()
    await attachLake(ownConnection, settings, 'write')
    if (isS3(data)) {
      // The next read or write reports a failure, with a hint.
      const renew = () => void setS3Secret(ownConnection).catch(() => undefined)
      renewing = setInterval(renew, RENEW_SECRET_EVERY_MS).unref()
    }
    const withLock = await lakeLock(await connect(), { catalog, metadata: METADATA_DATABASE })
    return {
      name: catalog,
      isLake: true,
      async connect() {
        const connection = await useUtc(await instance.connect())
        await connection.run(`USE ${LAKE}`)
        return connection
      },
      alone: async (work) => await inTurn(() => withLock(work)),
      close,
    }
  } catch (error) {
    close()
    throw asSinkError(error, 'open the lake', `${catalog} (data in ${data})`)
  }
}
