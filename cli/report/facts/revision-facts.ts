import { isoSql, type OpenLedger } from '../../ledger/open-ledger.ts'
import { revisionRows, type Revision } from '../../revisions/revision-rows.ts'

export interface RevisionFacts {
  rows: number
  byTable: { table: string; rows: number; newest: string }[]
  /** The newest 10. */
  newest: Revision[]
}

const NEWEST_SHOWN = 10

export async function revisionFacts(ledger: Pick<OpenLedger, 'rows'>): Promise<RevisionFacts> {
  const byTable = await ledger.rows<RevisionFacts['byTable'][number]>(
    `SELECT table_name AS "table", count(*) AS rows, ${isoSql('max(replaced_at)')} AS newest
     FROM _revisions GROUP BY ALL ORDER BY rows DESC, table_name`,
  )
  return {
    rows: byTable.reduce((sum, { rows }) => sum + rows, 0),
    byTable,
    newest: await revisionRows(ledger, null, NEWEST_SHOWN),
  }
}
