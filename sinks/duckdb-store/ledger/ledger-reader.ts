import type { Covered } from '../../../plan/covered.ts'
import type { KnownItems } from '../../../plan/price.ts'
import { unknownEntities } from '../../ledger/absences.ts'
import { SERIES_ID_COLUMNS } from '../../ledger/coverage-view.ts'
import { type Bound, bindContext } from '../bind-context.ts'
import { instant } from '../session.ts'
import type { LedgerContext } from '../store-context.ts'
import { SLICE_COLUMNS } from './slice-rows.ts'

/**
 * Intervals that the ledger covers at `nowMs`, without bounds between adjacent slices (as in coverage-view.ts). Loaded
 * and empty slices count whole, provisional ones up to `settled_to`. Their rest counts until `recheck_at`; after that it
 * has `isDueAgain`.
 */
export async function covered({ reader }: LedgerContext, nowMs: number): Promise<Covered[]> {
  const rows = await reader.rows<Covered & { isDueAgain: boolean }>(
    `WITH known AS (
       SELECT ${SERIES_ID_COLUMNS}, false AS is_due, from_at, CASE
         WHEN state <> 'provisional' OR $now < recheck_at THEN to_at ELSE settled_to END AS to_at
       FROM _slices WHERE state IN ('loaded', 'empty', 'provisional')
       UNION ALL
       SELECT ${SERIES_ID_COLUMNS}, true, settled_to, to_at FROM _slices WHERE state = 'provisional' AND $now >= recheck_at
     ), changes AS (
       SELECT dataset, series_id, is_due, edge_at, sum(change) AS change
       FROM (SELECT dataset, series_id, is_due, unnest([from_at, to_at]) AS edge_at, unnest([1, -1]) AS change
             FROM known WHERE from_at < to_at)
       GROUP BY ALL HAVING sum(change) <> 0
     ), counted AS (
       SELECT *, sum(change) OVER (PARTITION BY dataset, series_id, is_due ORDER BY edge_at) AS covering FROM changes
     ), merged AS (
       SELECT dataset, series_id, is_due, edge_at AS from_at,
         lead(edge_at) OVER (PARTITION BY dataset, series_id, is_due ORDER BY edge_at) AS to_at
       FROM counted WHERE covering = 0 OR covering = change QUALIFY covering > 0
     ) SELECT ${SLICE_COLUMNS}, is_due AS isDueAgain
     FROM merged JOIN (SELECT DISTINCT entity, vs_currency, granularity, ${SERIES_ID_COLUMNS} FROM _slices) USING (dataset, series_id)`,
    { now: instant(nowMs) },
  )
  return rows.map(({ isDueAgain, ...slice }) => (isDueAgain ? { ...slice, isDueAgain } : slice))
}

/** `nextFetchMs` tries only this many times. */
const MOST_RECHECKS = 50

/** The next times when a new request can verify more, ascending. */
export async function rechecksAfter({ reader }: LedgerContext, nowMs: number): Promise<number[]> {
  const rows = await reader.rows(
    `SELECT DISTINCT epoch_ms(recheck_at) AS recheck_ms FROM _slices
     WHERE state = 'provisional' AND recheck_at > $now ORDER BY recheck_ms LIMIT ${MOST_RECHECKS}`,
    { now: instant(nowMs) },
  )
  return rows.map((row) => Number(row['recheck_ms']))
}

/** Calls recorded since a moment, lost ones included. */
export async function callsSince({ reader }: LedgerContext, sinceMs: number): Promise<number> {
  const [row] = await reader.rows(
    'SELECT coalesce(sum(calls), 0) AS calls FROM _requests WHERE requested_at >= $since',
    { since: instant(sinceMs) },
  )
  return Number(row?.['calls'] ?? 0)
}

/** Items and pages of the newest loaded listing of each (dataset, entity, currency), by request step. */
export async function knownListings({ reader }: LedgerContext): Promise<KnownItems[]> {
  return await reader.rows<KnownItems>(
    `SELECT s.dataset, s.entity, s.vs_currency AS vsCurrency, r.step,
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

/** The frozen choice of a selector, by rank; null: never made. */
export async function universe(
  { reader }: LedgerContext,
  selector: string,
): Promise<string[] | null> {
  const rows = await reader.rows(
    'SELECT coin_id FROM _universes WHERE selector = $selector ORDER BY rank',
    { selector },
  )
  return rows.length === 0 ? null : rows.map((row) => String(row['coin_id']))
}

const READS = { covered, rechecksAfter, universe, unknownEntities, knownListings, callsSince }

export type LedgerReader = Bound<typeof READS>

/** The reads for a plan and its price. */
export function ledgerReader(of: LedgerContext): LedgerReader {
  return bindContext(of, READS)
}
