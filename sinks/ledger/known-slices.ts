import type { Row } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import type { KnownSlices } from '../../stage/expire-stage.ts'

/** The slices of a stage that the ledger knows, and which of them any run has loaded. */
export function knownSlices(query: (sql: string) => Promise<readonly Row[]>): KnownSlices {
  return async (digits) => {
    const rows = await query(
      `SELECT slice_id || '-g' || generation AS name, bool_or(state NOT IN ('planned', 'failed')) AS is_loaded
       FROM _slices WHERE starts_with(slice_id, ${quoteText(digits)}) GROUP BY ALL`,
    )
    return new Map(rows.map((row) => [String(row['name']), row['is_loaded'] === true]))
  }
}
