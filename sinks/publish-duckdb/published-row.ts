import { quoteText } from '../../datasets/ddl.ts'
import type { VersionContent } from './version-content.ts'

/** The SELECT of the row of `_published`. */
export function publishedRowSql(run: VersionContent['published'], loadId: number): string {
  return `SELECT ${quoteText(run.runId)} AS run_id,
    make_timestamptz(${BigInt(Math.round(run.publishedAtMs)) * 1000n}) AS published_at,
    ${quoteText(run.coinlakeVersion)} AS coinlake_version,
    ${run.schemaVersion}::BIGINT AS schema_version, ${loadId}::BIGINT AS load_id`
}
