import type { Row } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import type { KnownSlices, KnownState } from '../../stage/expire-stage.ts'
import { SLICE_DAMAGED } from '../duckdb-store/repair/mark-damaged.ts'

/**
 * The slices of a stage that the ledger knows. One that any run has loaded, or found empty, counts as loaded, also after
 * its rows were damaged.
 */
export function knownSlices(query: (sql: string) => Promise<readonly Row[]>): KnownSlices {
  return async (digits) => {
    const rows = await query(
      `SELECT slice_id || '-g' || generation AS name, CASE
         WHEN bool_or(state NOT IN ('planned', 'failed') OR code = ${quoteText(SLICE_DAMAGED)}) THEN 'loaded'
         WHEN bool_or(state = 'failed') THEN 'failed' ELSE 'planned' END AS state
       FROM _slices WHERE starts_with(slice_id, ${quoteText(digits)}) GROUP BY ALL`,
    )
    return new Map(rows.map((row) => [String(row['name']), row['state'] as KnownState]))
  }
}
