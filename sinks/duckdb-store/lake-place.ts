import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../../datasets/ddl.ts'
import { asSinkError } from './as-sink-error.ts'
import { lakeLock } from './lake-lock.ts'
import type { LakeSettings } from './lake-settings.ts'
import { loadExtension } from './load-extension.ts'
import type { StorePlace } from './store-place.ts'
import { createTurns } from './turns.ts'
import { useUtc } from './use-utc.ts'

/** Parquet is written and read through buffers; a DuckDB file needs less. */
const MEMORY_LIMIT = '512MiB'
const MAX_THREADS = 4
/**
 * Rows that DuckLake may keep in its catalog instead of a file. None: loads with ten measured the same
 * speed, and deleting from both places at once is where DuckLake is youngest.
 */
const INLINED_ROWS = 0
const LAKE = 'lake'
/** DuckLake's own name for the database of its catalog. */
const METADATA = `__ducklake_metadata_${LAKE}`

/**
 * A DuckLake: rows in Parquet files, which of them count in a catalog that other processes use, too. Made
 * when it is not there.
 *
 * @throws SinkError STORE_EXTENSION, STORE_CATALOG_UNREACHABLE, ...
 */
export async function openLakePlace(settings: LakeSettings): Promise<StorePlace> {
  const { catalog, data, tempDir } = settings
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    threads: String(Math.min(MAX_THREADS, availableParallelism())),
    temp_directory: tempDir,
  })
  const turns = createTurns()
  let locking: DuckDBConnection | null = null
  const close = (): void => {
    locking?.closeSync()
    instance.closeSync()
  }
  try {
    locking = await instance.connect()
    await attach(locking, settings)
    const lock = await lakeLock(locking, { catalog, metadata: METADATA })
    return {
      name: catalog,
      hasViewColumnComments: false,
      async connect() {
        const connection = await useUtc(await instance.connect())
        await connection.run(`USE ${LAKE}`)
        return connection
      },
      alone: async (work) =>
        await turns.take(async () => {
          await lock.take().catch((error: unknown) => {
            throw asSinkError(error, 'take the lock of', catalog)
          })
          try {
            return await work(() => lock.confirm())
          } finally {
            await lock.free()
          }
        }),
      onMigrated: async () => undefined,
      close,
    }
  } catch (error) {
    close()
    throw asSinkError(error, 'open the lake', `${catalog} (data in ${data})`)
  }
}

async function attach(connection: DuckDBConnection, settings: LakeSettings): Promise<void> {
  const { catalog, data, extensionDir } = settings
  const kind = catalog.startsWith('sqlite:') ? 'sqlite_scanner' : 'postgres_scanner'
  const isRemote = data.startsWith('s3://')
  const extensions = [kind, 'ducklake', ...(isRemote ? ['httpfs'] : [])]
  for (const name of extensions) await loadExtension(connection, name, extensionDir)
  if (!isRemote) await mkdir(data, { recursive: true, mode: 0o700 })
  const place = quoteText(data.endsWith('/') ? data : `${data}/`)
  await connection.run(
    `ATTACH ${quoteText(`ducklake:${catalog}`)} AS ${LAKE}
     (DATA_PATH ${place}, DATA_INLINING_ROW_LIMIT ${INLINED_ROWS})`,
  )
}
