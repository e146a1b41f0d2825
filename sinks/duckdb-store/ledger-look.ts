import type { Row } from '../../datasets/dataset.ts'
import type { KnownListing, StoreSummary } from '../store.ts'
import { instant } from './session.ts'
import type { LedgerContext, StoreContext } from './store-context.ts'

/** Calls recorded since a moment, lost ones included: what the month's ceiling is checked against. */
export async function callsSince({ reader }: LedgerContext, sinceMs: number): Promise<number> {
  const [row] = await reader.rows(
    'SELECT coalesce(sum(calls), 0) AS calls FROM _requests WHERE requested_at >= $since',
    { since: instant(sinceMs) },
  )
  return Number(row?.['calls'] ?? 0)
}

/** How long each listing was when it was last loaded. See Store.knownListings. */
export async function knownListings({ reader }: LedgerContext): Promise<KnownListing[]> {
  const rows = await reader.rows(
    `SELECT s.dataset, s.entity, s.vs_currency, r.step, r.operation,
       sum(r.items) AS items, count(*) AS pages
     FROM (SELECT DISTINCT ON (dataset, entity, vs_currency) dataset, entity, vs_currency, slice_id,
             load_id FROM _slices WHERE pages > 0 AND state IN ('loaded', 'provisional', 'empty')
           ORDER BY dataset, entity, vs_currency, fetched_at DESC) s
     JOIN _requests r USING (slice_id)
     WHERE r.code IS NULL AND starts_with(r.request_id, s.slice_id || '-g' || (
       SELECT max(generation) FROM _slices g WHERE g.slice_id = s.slice_id AND g.load_id = s.load_id))
     GROUP BY ALL ORDER BY ALL`,
  )
  return rows.map((row) => ({
    dataset: String(row['dataset']),
    entity: String(row['entity']),
    vsCurrency: String(row['vs_currency']),
    step: Number(row['step']),
    operation: String(row['operation']),
    items: Number(row['items']),
    pages: Number(row['pages']),
  }))
}

/** The whole ledger in a few numbers, for a status page. */
export async function summary({ reader }: StoreContext): Promise<StoreSummary> {
  const lastRuns = await reader.rows(
    `SELECT run_id, order_id, verdict, epoch_ms(started_at) AS started_ms,
       epoch_ms(finished_at) AS finished_ms FROM _runs ORDER BY started_at DESC, run_id LIMIT 1`,
  )
  const slices = await reader.rows(
    'SELECT state, count(*) AS slices FROM _slices GROUP BY state ORDER BY state',
  )
  const [counts] = await reader.rows(
    `SELECT (SELECT count(*) FROM _loads) AS loads, (SELECT coalesce(sum(calls), 0) FROM _requests) AS calls,
       (SELECT coalesce(sum(rows_inserted) - sum(rows_replaced), 0) FROM _loads) AS rows,
       (SELECT count(*) FROM _quarantine) AS quarantined, (SELECT count(*) FROM _revisions) AS revisions`,
  )
  const [run] = lastRuns
  return {
    lastRun: run === undefined ? null : lastRun(run),
    slicesByState: Object.fromEntries(
      slices.map((row) => [String(row['state']), Number(row['slices'])]),
    ),
    loads: Number(counts?.['loads']),
    rows: Number(counts?.['rows']),
    calls: Number(counts?.['calls']),
    quarantined: Number(counts?.['quarantined']),
    revisions: Number(counts?.['revisions']),
  }
}

function lastRun(row: Row): NonNullable<StoreSummary['lastRun']> {
  const verdict = row['verdict'] ?? null
  const finishedMs = row['finished_ms'] ?? null
  return {
    runId: String(row['run_id']),
    orderId: String(row['order_id']),
    verdict: verdict === null ? null : String(verdict),
    startedAtMs: Number(row['started_ms']),
    finishedAtMs: finishedMs === null ? null : Number(finishedMs),
  }
}
