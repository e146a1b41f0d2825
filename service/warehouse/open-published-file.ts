import { openSync, readSync, closeSync, realpathSync, statSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { ConfigError } from '../../config/config-error.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import { lockToReading, readingOptions } from './lock-to-reading.ts'
import type { ReadablePaths } from './lock-to-reading.ts'

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
    throw warehouseError(path, 'is no DuckDB file', 'WAREHOUSE_NOT_DUCKDB', PUBLISHED_HINT)
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

const PUBLISHED_HINT = 'Name the published coinlake.duckdb of a warehouse, not the store in state/.'

function existingFile(path: string): string {
  try {
    const file = realpathSync(path)
    if (!statSync(file).isFile()) throw new Error('not a file')
    return file
  } catch (cause) {
    throw warehouseError(
      path,
      'is no file that can be read',
      'WAREHOUSE_NOT_FOUND',
      PUBLISHED_HINT,
      cause,
    )
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
    return warehouseError(
      path,
      'is held by another process',
      'WAREHOUSE_HELD',
      PUBLISHED_HINT,
      cause,
    )
  }
  if (/newer version|version number/i.test(text)) {
    const hint = 'Use the coinlake that published it, or publish it again with this one.'
    return warehouseError(path, 'was written by a newer DuckDB', 'WAREHOUSE_NEWER', hint, cause)
  }
  return warehouseError(
    path,
    `cannot be opened: ${text}`,
    'WAREHOUSE_UNREADABLE',
    PUBLISHED_HINT,
    cause,
  )
}

function warehouseError(
  path: string,
  what: string,
  code: string,
  hint: string,
  cause?: unknown,
): ConfigError {
  return new ConfigError(`warehouse ${path} ${what}`, { code, hint, cause })
}
