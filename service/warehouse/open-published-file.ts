import { openSync, readSync, closeSync, realpathSync, statSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { ConfigError } from '../../config/config-error.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import { lockToReading, readingOptions, type ReadablePaths } from './lock-to-reading.ts'

/** DuckDB files have this word at byte 8. */
const MAGIC = 'DUCK'
const MAGIC_AT = 8

/**
 * Opens a published warehouse for reading and locks it: the views of a foreign file are SQL of others. The link is
 * followed once, so a later publication changes nothing here.
 *
 * @param readable other paths that may be read
 * @throws ConfigError WAREHOUSE_NOT_FOUND, WAREHOUSE_NOT_DUCKDB, WAREHOUSE_HELD, WAREHOUSE_NEWER, WAREHOUSE_UNREADABLE
 */
export async function openPublishedFile(
  path: string,
  readable?: ReadablePaths,
): Promise<DuckDBInstance> {
  const file = existingFile(path)
  if (!looksLikeDuckdb(path, file)) {
    throw warehouseError(path, 'WAREHOUSE_NOT_DUCKDB', 'is no DuckDB file')
  }
  const options = { ...readingOptions(), access_mode: 'READ_ONLY' }
  const instance = await DuckDBInstance.create(file, options).catch((cause: unknown) => {
    throw openError(path, cause)
  })
  try {
    await lockToReading(instance, readable)
    return instance
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

function existingFile(path: string): string {
  try {
    const file = realpathSync(path)
    if (!statSync(file).isFile()) throw new Error('not a file')
    return file
  } catch (cause) {
    const hint = 'Name a warehouse or its coinlake.duckdb. `coinlake backfill` publishes one.'
    throw warehouseError(path, 'WAREHOUSE_NOT_FOUND', 'is no file that can be read', cause, hint)
  }
}

function looksLikeDuckdb(path: string, file: string): boolean {
  const head = Buffer.alloc(MAGIC.length)
  try {
    const descriptor = openSync(file, 'r')
    try {
      readSync(descriptor, head, 0, MAGIC.length, MAGIC_AT)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    throw openError(path, cause)
  }
  return head.toString('latin1') === MAGIC
}

function openError(path: string, cause: unknown): CoinlakeError {
  const text = cause instanceof Error ? cause.message : String(cause)
  if (/conflicting lock|could not set lock/i.test(text)) {
    return warehouseError(path, 'WAREHOUSE_HELD', 'is held by another process', cause)
  }
  if (/newer version|version number/i.test(text)) {
    const hint = 'Use the coinlake that published it, or publish it again with this one.'
    return warehouseError(path, 'WAREHOUSE_NEWER', 'was written by a newer DuckDB', cause, hint)
  }
  return warehouseError(path, 'WAREHOUSE_UNREADABLE', `cannot be opened: ${text}`, cause)
}

function warehouseError(
  path: string,
  code: string,
  what: string,
  cause?: unknown,
  hint = 'Name the published coinlake.duckdb of a warehouse, not the store in state/.',
): ConfigError {
  return new ConfigError(`warehouse ${path} ${what}`, { code, hint, cause })
}
