import { randomUUID } from 'node:crypto'
import { isLoopbackHost, NO_SOURCE } from '../../config/base-url.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { Config } from '../../config/config.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { LedgerRows } from './open-ledger.ts'

/** Marks the source in the ledger that `--afresh` has accepted. */
const ACCEPTED = 'SOURCE_ACCEPTED'
/** The newest call counts, because an accepted source replaces the earlier one. */
const FILLED_FROM_SQL = `SELECT url FROM _requests WHERE code IS NULL OR code = '${ACCEPTED}'
  ORDER BY requested_at DESC LIMIT 1`

/**
 * Checks that the configured source is the one that filled the warehouse. A simulated market on this machine never
 * counts as a real one; ports of this machine may differ. `--afresh` accepts any source.
 *
 * @param record keeps an accepted source in the ledger
 * @returns a warning for another host; null = the same host, or none is known
 * @throws ConfigError SOURCE_CHANGED when only one of the two is on this machine
 */
export async function requireSameSource(
  { source, warehouseDir }: Pick<Config, 'source' | 'warehouseDir'>,
  { rows }: LedgerRows,
  { isAfresh = false, record }: { isAfresh?: boolean; record?: Store['recordRequests'] } = {},
): Promise<string | null> {
  if (source.baseUrl === NO_SOURCE) return null
  // A Parquet tree has no ledger.
  const there = await rows("FROM information_schema.tables WHERE table_name = '_requests'")
  const [filled] = there.length === 0 ? [] : await rows(FILLED_FROM_SQL)
  const url = filled?.['url']
  if (typeof url !== 'string') return null
  const [before, now] = [new URL(url), new URL(source.baseUrl)]
  const [wasHere, isHere] = [before, now].map(({ hostname }) => isLoopbackHost(hostname))
  if ((wasHere && isHere) || before.host === now.host) return null
  const what = `${warehouseDir} was filled from ${before.origin}, and the source is now ${now.origin}`
  if (wasHere === isHere) return what
  if (isAfresh) {
    const accepted = { requestId: randomUUID(), sliceId: '', operation: '', url: now.href }
    const noCall = { status: null, code: ACCEPTED, durationMs: 0, calls: 0 }
    await record?.('afresh', [{ ...accepted, ...noCall, requestedAtMs: Date.now() }])
    return what
  }
  throw new ConfigError(what, {
    code: 'SOURCE_CHANGED',
    hint: 'Simulated and real data need two warehouses: name another folder with `warehouse:`. If both are the same service, `coinlake backfill --afresh` accepts it.',
  })
}
