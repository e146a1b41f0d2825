import type { OpenLedger } from '../../ledger/open-ledger.ts'
import { revisionRows, type Revision } from '../../revisions/revision-rows.ts'

export interface RevisionFacts {
  rows: number
  byTable: { table: string; rows: number; newest: string }[]
  /** The newest 10. */
  newest: Revision[]
}

const NEWEST_SHOWN = 10

export async function revisionFacts(ledger: Pick<OpenLedger, 'rows'>): Promise<RevisionFacts> {
  const groups = await ledger.rows(
    `SELECT table_name, count(*) AS rows, epoch_ms(max(replaced_at)) AS newest_ms
     FROM _revisions GROUP BY ALL ORDER BY rows DESC, table_name`,
  )
  const byTable = groups.map((row) => ({
    table: String(row['table_name']),
    rows: Number(row['rows']),
    newest: new Date(Number(row['newest_ms'])).toISOString(),
  }))
  return {
    rows: byTable.reduce((sum, { rows }) => sum + rows, 0),
    byTable,
    newest: await revisionRows(ledger, null, NEWEST_SHOWN),
  }
}
