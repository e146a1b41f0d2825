import type { KnownListing } from '../../store.ts'
import { instant } from '../session.ts'
import type { LedgerContext } from '../store-context.ts'

/** Calls recorded since a moment, lost ones included. */
export async function callsSince({ reader }: LedgerContext, sinceMs: number): Promise<number> {
  const [row] = await reader.rows(
    'SELECT coalesce(sum(calls), 0) AS calls FROM _requests WHERE requested_at >= $since',
    { since: instant(sinceMs) },
  )
  return Number(row?.['calls'] ?? 0)
}

/** Items and pages of the newest loaded listing of each (dataset, entity, currency), by request step. */
export async function knownListings({ reader }: LedgerContext): Promise<KnownListing[]> {
  return await reader.rows<KnownListing>(
    `SELECT s.dataset, s.entity, s.vs_currency AS vsCurrency, r.step, r.operation,
       sum(r.items) AS items, count(*) AS pages
     FROM (SELECT DISTINCT ON (dataset, entity, vs_currency) dataset, entity, vs_currency, slice_id,
             load_id FROM _slices WHERE pages > 0 AND state IN ('loaded', 'provisional', 'empty')
           ORDER BY dataset, entity, vs_currency, fetched_at DESC) s
     JOIN _requests r USING (slice_id)
     WHERE r.code IS NULL AND starts_with(r.request_id, s.slice_id || '-g' || (
       SELECT max(generation) FROM _slices g WHERE g.slice_id = s.slice_id AND g.load_id = s.load_id))
     GROUP BY ALL ORDER BY ALL`,
  )
}
