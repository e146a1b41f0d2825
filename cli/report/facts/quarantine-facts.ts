import type { OpenLedger } from '../../ledger/open-ledger.ts'

/** Rows that broke a rule and are neither replayed nor dropped. */
export interface QuarantineFacts {
  rows: number
  /** Of them ids that an answer lacks: told of once, and no fault of later runs. */
  notListed: number
  byRule: { dataset: string; rule: string; rows: number; newest: string }[]
  /** The newest, at most 10, their values cut to 200 characters. */
  newest: {
    id: string
    dataset: string
    rule: string
    path: string
    raw: string
    url: string
    fetchedAt: string
  }[]
}

const NEWEST_SHOWN = 10
const MAX_RAW_CHARS = 200
const NOT_LISTED_RULE = 'not_in_answer'

/** Counts in the ledger, so that millions of rows cost no memory. */
export async function quarantineFacts(ledger: Pick<OpenLedger, 'rows'>): Promise<QuarantineFacts> {
  const groups = await ledger.rows(
    `SELECT dataset, rule, count(*) AS rows, epoch_ms(max(fetched_at)) AS newest_ms
     FROM _quarantine WHERE ended_at IS NULL GROUP BY ALL ORDER BY rows DESC, dataset, rule`,
  )
  const byRule = groups.map((row) => ({
    dataset: String(row['dataset']),
    rule: String(row['rule']),
    rows: Number(row['rows']),
    newest: iso(row['newest_ms']),
  }))
  const newest = await ledger.rows(
    `SELECT quarantine_id, dataset, rule, path, left(raw, ${MAX_RAW_CHARS}) AS raw, url,
       epoch_ms(fetched_at) AS fetched_ms
     FROM _quarantine WHERE ended_at IS NULL ORDER BY fetched_at DESC, quarantine_id LIMIT ${NEWEST_SHOWN}`,
  )
  const sum = (some: typeof byRule): number => some.reduce((total, { rows }) => total + rows, 0)
  return {
    rows: sum(byRule),
    notListed: sum(byRule.filter(({ rule }) => rule === NOT_LISTED_RULE)),
    byRule,
    newest: newest.map((row) => ({
      id: String(row['quarantine_id']),
      dataset: String(row['dataset']),
      rule: String(row['rule']),
      path: String(row['path']),
      raw: String(row['raw']),
      url: String(row['url']),
      fetchedAt: iso(row['fetched_ms']),
    })),
  }
}

function iso(ms: unknown): string {
  return new Date(Number(ms)).toISOString()
}
