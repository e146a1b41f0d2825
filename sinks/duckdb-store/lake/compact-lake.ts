import type { DuckDBValue } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { asSinkError } from '../as-sink-error.ts'
import { rowsOf } from '../../rows-of.ts'
import { LAKE } from './attach-lake.ts'
import type { StoreAccess } from '../opening/store-access.ts'

export interface CompactReport {
  /** Files that were merged or rewritten. `into`: the number of files that replace them. */
  merged: number
  into: number
  removed: number
}

/** How long a replaced file stays for its readers and for earlier moments (`AT (TIMESTAMP => ...)`). */
const REPLACED_STAY = 'INTERVAL 1 DAY'

/**
 * Merges the many files of loads by DuckLake's functions. Loads get turns between the tables. Readers see the same
 * rows. Files that no moment of the last day needs are removed.
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
      // DuckLake does not merge a file with deleted rows, so rewriting comes first.
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
