import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { quoteText } from '../../datasets/table/ddl.ts'

/** The paths that a locked instance may read besides its own database: absolute paths, or `s3://...`. */
export interface ReadablePaths {
  /** Folders, with everything below them. */
  dirs?: readonly string[]
  files?: readonly string[]
}

/** Settings that SQL may still change. None of them opens a file or a connection. */
export const CHANGEABLE_SETTINGS = [
  'TimeZone',
  'threads',
  'memory_limit',
  'preserve_insertion_order',
  'default_null_order',
  'default_order',
  'integer_division',
  'pivot_limit',
] as const

/** DuckDB runs a PIVOT as several statements, one of which changes this setting. */
const SET_BY_PIVOT = 'current_transaction_invalidation_policy'

/**
 * Options of an instance for `lockToReading`. Rows that do not fit into memory go to a folder under TMPDIR, not beside the
 * file. DuckDB makes and removes the folder.
 */
export function readingOptions(): { temp_directory: string; allow_persistent_secrets: string } {
  return {
    temp_directory: join(tmpdir(), `coinlake-spill-${randomUUID()}`),
    // coinlake must not read the secrets of the user's own DuckDB.
    allow_persistent_secrets: 'false',
  }
}

/**
 * Locks an instance for good, before it runs SQL of others: a person's, or the views of a foreign file. The SQL then
 * reaches only `readable` and attached files, no network, no extension, and only CHANGEABLE_SETTINGS.
 *
 * DuckDB has one permission for reading and writing, so COPY could still write there. Therefore
 * cli/query/checked-statements.ts accepts only statements that read.
 */
export async function lockToReading(
  instance: DuckDBInstance,
  { dirs = [], files = [] }: ReadablePaths = {},
): Promise<void> {
  const connection = await instance.connect()
  const list = (texts: readonly string[]): string => `[${texts.map(quoteText).join(', ')}]`
  try {
    for (const statement of [
      'SET autoinstall_known_extensions = false',
      'SET autoload_known_extensions = false',
      'SET allow_community_extensions = false',
      `SET allowed_directories = ${list(dirs)}`,
      `SET allowed_paths = ${list(files)}`,
      `SET allowed_configs = ${list([...CHANGEABLE_SETTINGS, SET_BY_PIVOT])}`,
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ]) {
      await connection.run(statement)
    }
  } finally {
    connection.closeSync()
  }
}
