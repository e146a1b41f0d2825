import { isoSql, type OpenLedger } from '../../ledger/open-ledger.ts'
import { quarantinedRows, type QuarantinedRow } from '../../quarantine/quarantine-rows.ts'

/** Rows that broke a rule and are neither replayed nor dropped. */
export interface QuarantineFacts {
  rows: number
  /** Rows for ids that an answer lacks. One run reports them, and they are no fault of later runs. */
  notListed: number
  byRule: { dataset: string; rule: string; rows: number; newest: string }[]
  /** The newest 10, their values cut to 200 characters. */
  newest: QuarantinedRow[]
}

const NEWEST_SHOWN = 10
const MAX_RAW_CHARS = 200
const NOT_LISTED_RULE = 'not_in_answer'

/** Counts with SQL, so that millions of rows cost no memory. */
export async function quarantineFacts(ledger: Pick<OpenLedger, 'rows'>): Promise<QuarantineFacts> {
  const byRule = await ledger.rows<QuarantineFacts['byRule'][number]>(
    `SELECT dataset, rule, count(*) AS rows, ${isoSql('max(fetched_at)')} AS newest
     FROM _quarantine WHERE ended_at IS NULL GROUP BY ALL ORDER BY rows DESC, dataset, rule`,
  )
  const choice = { ids: [], dataset: null, limit: NEWEST_SHOWN }
  const newest = await quarantinedRows(ledger, choice)
  const sum = (some: typeof byRule): number => some.reduce((total, { rows }) => total + rows, 0)
  return {
    rows: sum(byRule),
    notListed: sum(byRule.filter(({ rule }) => rule === NOT_LISTED_RULE)),
    byRule,
    newest: newest.map((row) => ({ ...row, raw: row.raw.slice(0, MAX_RAW_CHARS) })),
  }
}
