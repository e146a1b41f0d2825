import { quoteName, quoteText } from '../../datasets/ddl.ts'
import type { StoreReader } from '../publish/store-reader.ts'

/** Opened by every DuckDB from 1.0 on; the default would follow the engine and shut old readers out. */
const STORAGE_VERSION = 'v1.0.0'
const ALIAS = 'coinlake_publication'
/** What stands before the names of the version that is being written. */
export const VERSION_QUALIFIER = `${ALIAS}.main.`

/** A table, view or macro of the version that is being written, as SQL. */
export function inVersion(name: string): string {
  return `${VERSION_QUALIFIER}${quoteName(name)}`
}

/**
 * Attaches the file at `path` (made if missing), lets `work` write it from one moment of the store, and
 * leaves it checkpointed and closed. What `work` did before it failed is not in the file, but the file is there.
 */
export async function writeVersion<T>(
  store: StoreReader,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  const detach = `DETACH DATABASE IF EXISTS ${ALIAS}`
  await store.run(detach)
  await store.run(`ATTACH ${quoteText(path)} AS ${ALIAS} (STORAGE_VERSION '${STORAGE_VERSION}')`)
  try {
    const written = await store.snapshot(work)
    await store.run(`CHECKPOINT ${ALIAS}`)
    await store.run(detach)
    return written
  } catch (error) {
    await store.run(detach).catch(() => undefined)
    throw error
  }
}
