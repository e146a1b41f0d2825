import { ConfigError } from '../../config/config-error.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { isoSql, type LedgerRows } from '../ledger/open-ledger.ts'

/** A quarantined row that is neither replayed nor dropped. */
export interface QuarantinedRow {
  id: string
  dataset: string
  rule: string
  /** JSON path in the body. */
  path: string
  /** The value or row as JSON text. */
  raw: string
  url: string
  /** ISO, UTC. */
  fetchedAt: string
}

interface QuarantineChoice {
  ids: readonly string[]
  dataset: string | null
  /** The most rows, the newest first; absent = all. */
  limit?: number
}

/** Open rows of the quarantine, newest answer first. @throws ConfigError QUARANTINE_UNKNOWN when an id is not open */
export async function quarantinedRows(
  ledger: LedgerRows,
  { ids, dataset, limit }: QuarantineChoice,
): Promise<QuarantinedRow[]> {
  const tests = ['ended_at IS NULL']
  if (ids.length > 0) tests.push(`quarantine_id IN (${ids.map(quoteText).join(', ')})`)
  if (dataset !== null) tests.push(`dataset = ${quoteText(dataset)}`)
  const found = await ledger.rows<QuarantinedRow>(
    `SELECT quarantine_id AS id, dataset, rule, path, raw, url, ${isoSql('fetched_at')} AS "fetchedAt"
     FROM _quarantine WHERE ${tests.join(' AND ')} ORDER BY fetched_at DESC, quarantine_id
     ${limit === undefined ? '' : `LIMIT ${limit}`}`,
  )
  const unknown = ids.find((id) => !found.some((row) => row.id === id))
  if (unknown === undefined) return found
  throw new ConfigError(`no open row of the quarantine is called ${JSON.stringify(unknown)}`, {
    code: 'QUARANTINE_UNKNOWN',
    hint: '`coinlake quarantine list` shows the open rows; replayed and dropped ones are not open.',
  })
}
