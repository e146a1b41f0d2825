import { quoteText } from '../../datasets/table/ddl.ts'
import { isoSql, type LedgerRows } from '../ledger/open-ledger.ts'

/** A final value that the source changed later. Times are ISO, UTC. */
export interface Revision {
  table: string
  key: Record<string, unknown>
  changed: Record<string, { before: unknown; after: unknown }>
  firstSeenAt: string
  replacedAt: string
}

/** The newest first. `table` and `limit` null: all. */
export async function revisionRows(
  ledger: LedgerRows,
  table: string | null,
  limit: number | null = null,
): Promise<Revision[]> {
  const rows = await ledger.rows(
    `SELECT table_name, key, before, after, ${isoSql('first_seen_at')} AS first_seen,
       ${isoSql('replaced_at')} AS replaced
     FROM _revisions ${table === null ? '' : `WHERE table_name = ${quoteText(table)}`}
     ORDER BY replaced_at DESC, table_name, key ${limit === null ? '' : `LIMIT ${limit}`}`,
  )
  return rows.map((row) => {
    const key = objectOf(row['key'])
    return {
      table: String(row['table_name']),
      key,
      // The source may have moved a point: then its time has changed, which is in the key.
      changed: changes({ ...key, ...objectOf(row['before']) }, objectOf(row['after'])),
      firstSeenAt: String(row['first_seen']),
      replacedAt: String(row['replaced']),
    }
  })
}

function changes(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Revision['changed'] {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(
    names.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  )
}

function objectOf(json: unknown): Record<string, unknown> {
  return JSON.parse(String(json)) as Record<string, unknown>
}
