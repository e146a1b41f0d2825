import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { asSinkError } from '../as-sink-error.ts'
import { LAKE } from './attach-lake.ts'
import type { StorePlace } from '../opening/store-place.ts'

/** The result of a compaction. */
export interface CompactReport {
  /** Files with rows that were merged, or written anew without their deleted rows, and what they became. */
  merged: number
  into: number
  /** Files removed that earlier compactions and loads have replaced. */
  removed: number
}

/** A replaced file stays this long for its readers, and for earlier moments of the lake (`AT (TIMESTAMP => ...)`). */
const REPLACED_STAY = 'INTERVAL 1 DAY'

/**
 * Makes the many files that loads write few, by DuckLake's own means: table by table, so that loads get
 * their turns between. Rows and readers see no difference. Files that no moment of the last day needs are removed.
 *
 * @param place a lake
 * @throws SinkError
 */
export async function compactLake(place: StorePlace): Promise<CompactReport> {
  const connection = await place.connect()
  const report: CompactReport = { merged: 0, into: 0, removed: 0 }
  const call = async (words: string): Promise<Record<string, DuckDBValue>[]> =>
    await place.alone(async () => await rowsOf(connection, `CALL ${words}`))
  try {
    const tables = await rowsOf(
      connection,
      `SELECT table_name FROM duckdb_tables() WHERE database_name = '${LAKE}' ORDER BY ALL`,
    )
    for (const table of tables) {
      const name = quoteText(String(table['table_name']))
      // Files with deleted rows are merged with no others before they are without them.
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
    throw asSinkError(error, 'compact', place.name)
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
