import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { asSinkError } from '../as-sink-error.ts'
import { LAKE } from './attach-lake.ts'
import type { StoreAccess } from '../opening/store-access.ts'

/** The result of a compaction. */
export interface CompactReport {
  /** Files that were merged, or rewritten without their deleted rows; `into` counts the files that replace them. */
  merged: number
  into: number
  /** Files that were removed, because earlier compactions and loads had replaced them. */
  removed: number
}

/** A replaced file stays this long for its readers, and for earlier moments of the lake (`AT (TIMESTAMP => ...)`). */
const REPLACED_STAY = 'INTERVAL 1 DAY'

/**
 * Merges the many files of loads with DuckLake's own functions, table by table, so that loads get turns in between. The
 * rows stay the same for readers. Files that no moment of the last day needs are removed.
 *
 * @param access a lake
 * @throws SinkError
 */
export async function compactLake(access: StoreAccess): Promise<CompactReport> {
  const connection = await access.connect()
  const report: CompactReport = { merged: 0, into: 0, removed: 0 }
  const call = async (words: string): Promise<Record<string, DuckDBValue>[]> =>
    await access.alone(async () => await rowsOf(connection, `CALL ${words}`))
  try {
    const tables = await rowsOf(
      connection,
      `SELECT table_name FROM duckdb_tables() WHERE database_name = '${LAKE}' ORDER BY ALL`,
    )
    for (const table of tables) {
      const name = quoteText(String(table['table_name']))
      // Rewriting comes first, because DuckLake does not merge a file with deleted rows.
      for (const how of [
        `ducklake_rewrite_data_files('${LAKE}', ${name}, delete_threshold => 0)`,
        `ducklake_merge_adjacent_files('${LAKE}', ${name})`,
      ]) {
        for (const done of await call(how)) {
          report.merged += Number(done['files_processed'])
          report.into += Number(done['files_created'])
        }
      }
    }
    const before = `older_than => now() - ${REPLACED_STAY}`
    await call(`ducklake_expire_snapshots('${LAKE}', ${before})`)
    report.removed = (await call(`ducklake_cleanup_old_files('${LAKE}', ${before})`)).length
    return report
  } catch (error) {
    throw asSinkError(error, 'compact', access.name)
  } finally {
    connection.closeSync()
  }
}

async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
): Promise<Record<string, DuckDBValue>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjects()
}
