import { quoteText } from '../../datasets/table/ddl.ts'
import { SCHEMA_VERSION } from '../ledger/schema-versions.ts'
import type { Publication } from '../publication.ts'

/** The SELECT of the row of `_published`. */
export function publishedRowSql(
  run: Parameters<Publication['publish']>[0],
  loadId: number,
): string {
  return `SELECT ${quoteText(run.runId)} AS run_id,
    make_timestamptz(${BigInt(Math.round(run.publishedAtMs)) * 1000n}) AS published_at,
    ${quoteText(run.coinlakeVersion)} AS coinlake_version,
    ${SCHEMA_VERSION}::BIGINT AS schema_version, ${loadId}::BIGINT AS load_id`
}
