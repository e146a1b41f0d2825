import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { quoteText } from '../../datasets/table/ddl.ts'

/** The paths that a locked instance may read beside the database that it was opened with: absolute paths, or `s3://...`. */
export interface Readable {
  /** Whole folders, with all below them. */
  dirs?: readonly string[]
  files?: readonly string[]
}

/**
 * Settings that SQL may still change: none of them opens a file, a connection or another way out. They
 * are what answers and their speed depend on.
 */
export const OPEN_SETTINGS = [
  'TimeZone',
  'threads',
  'memory_limit',
  'preserve_insertion_order',
  'default_null_order',
  'default_order',
  'integer_division',
  'pivot_limit',
] as const

/** DuckDB makes a PIVOT into several statements, one of which sets this. */
const SET_BY_PIVOT = 'current_transaction_invalidation_policy'

/**
 * Options of an instance that `lockReading` is to lock. Rows that do not fit into memory go into a folder of
 * its own under TMPDIR: DuckDB's default is a folder beside the file, and nothing is written there. DuckDB
 * makes it when it is needed and removes it when the instance closes.
 */
export function readingOptions(): { temp_directory: string; allow_persistent_secrets: string } {
  return {
    temp_directory: join(tmpdir(), `coinlake-spill-${randomUUID()}`),
    // Secrets of this user's own DuckDB are none of ours, and its folder is not to be looked at.
    allow_persistent_secrets: 'false',
  }
}

/**
 * Locks an instance by DuckDB's own means, for good, before it meets SQL that others wrote (a person's, or
 * the views of a file from elsewhere): no file but `readable` and what is attached, no network, no
 * extension, no setting but OPEN_SETTINGS.
 *
 * DuckDB knows one permission for reading and writing, so COPY and EXPORT could still write to `readable`
 * and to the spill folder: where others write whole statements, cli/query/checked-statements.ts lets only
 * those through that read.
 */
export async function lockReading(
  instance: DuckDBInstance,
  { dirs = [], files = [] }: Readable = {},
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
      `SET allowed_configs = ${list([...OPEN_SETTINGS, SET_BY_PIVOT])}`,
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ]) {
      await connection.run(statement)
    }
  } finally {
    connection.closeSync()
  }
}
