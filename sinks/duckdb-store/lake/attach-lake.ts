import { mkdir } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { isS3 } from '../../../stage/s3-files.ts'
import type { LakeSettings } from './lake-settings.ts'
import { loadExtension } from './load-extension.ts'
import { setS3Secret } from './s3-secret.ts'

export const LAKE = 'lake'
/** DuckLake's name for the database of its catalog. */
export const METADATA_DATABASE = `__ducklake_metadata_${LAKE}`
/**
 * Rows that DuckLake may keep in its catalog instead of a file. 10 rows were no faster. Deletion from catalog and files
 * at once is new in DuckLake, and so a risk.
 */
const INLINED_ROWS = 0

/** With these options readers do not block writers, and a second writer waits for the first. */
const SQLITE_OPTIONS = [`META_JOURNAL_MODE 'WAL'`, `META_BUSY_TIMEOUT 15000`]

/** PostgreSQL's message to the second of two processes that create a catalog. */
const MADE_MEANWHILE_MESSAGE = /duplicate key value|already exists/

/**
 * Attaches a lake as `LAKE`, with the extensions and the S3 secret that it needs.
 *
 * @param mode `write` makes what is missing; `read` changes nothing
 * @throws SinkError STORE_EXTENSION; StageError STAGE_S3_DENIED; the errors of DuckDB
 */
export async function attachLake(
  connection: DuckDBConnection,
  { catalog, data, extensionDir }: Pick<LakeSettings, 'catalog' | 'data' | 'extensionDir'>,
  mode: 'read' | 'write',
): Promise<void> {
  const kind = catalog.startsWith('sqlite:') ? 'sqlite_scanner' : 'postgres_scanner'
  const isRemote = isS3(data)
  const extensions = [kind, 'ducklake', ...(isRemote ? ['httpfs'] : [])]
  for (const name of extensions) await loadExtension(connection, name, extensionDir)
  if (isRemote) await setS3Secret(connection)
  else if (mode === 'write') await mkdir(data, { recursive: true, mode: 0o700 })
  const options =
    mode === 'read'
      ? 'READ_ONLY'
      : [
          `DATA_PATH ${quoteText(data.endsWith('/') ? data : `${data}/`)}`,
          `DATA_INLINING_ROW_LIMIT ${INLINED_ROWS}`,
          ...(kind === 'sqlite_scanner' ? SQLITE_OPTIONS : []),
        ].join(', ')
  const attach = `ATTACH ${quoteText(`ducklake:${catalog}`)} AS ${LAKE} (${options})`
  await connection.run(attach).catch(async (error: unknown) => {
    if (!MADE_MEANWHILE_MESSAGE.test(String(error))) throw error
    await connection.run(attach)
  })
}
