import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { PUBLICATION_DAMAGE } from '../../sinks/duckdb-store/as-sink-error.ts'
import type { Session } from '../../sinks/duckdb-store/session.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { openPublished } from '../query/open-published.ts'
import { verifyCopyOfStore } from '../verify/verify-source-of.ts'
import { withOpen } from '../run/closing-after.ts'

/** Compares a copy with its own ledger. @returns its time of publication, ISO @throws SinkError BACKUP_DAMAGED */
export async function verifyCopy(paths: WarehousePaths, file: string): Promise<string> {
  try {
    return await withLedgerOf(paths, file, async (rows) => {
      const [found] = await verifyCopyOfStore(rows)
      if (found !== undefined) {
        const what = `${found.what}: ${found.found} instead of ${found.expected}`
        throw new SinkError(`${file} differs from its ledger: ${what}`, PUBLICATION_DAMAGE)
      }
      const [row] = await rows('SELECT epoch_ms(published_at) AS at_ms FROM _published')
      return new Date(Number(row?.['at_ms'])).toISOString()
    })
  } catch (cause) {
    if (!(cause instanceof CoinlakeError)) throw cause
    throw new SinkError(`the file to back up is damaged: ${cause.message}`, {
      code: 'BACKUP_DAMAGED',
      hint: 'The earlier backup is unchanged. `coinlake verify` names the damage and the repair.',
      cause,
    })
  }
}

/** Runs work on the ledger of a published file; null = an empty ledger. */
export async function withLedgerOf<T>(
  paths: WarehousePaths,
  file: string | null,
  work: (rows: Session['rows']) => Promise<T>,
): Promise<T> {
  if (file === null) return await work(async () => [])
  return await withOpen(openPublished({ ...paths, root: file }, 'UTC'), ({ rows }) => work(rows))
}
