import type { Covered } from '../../../plan/covered.ts'
import { instant } from '../session.ts'
import { SLICE_COLUMNS } from './slice-rows.ts'
import type { LedgerContext, StoreContext } from '../store-context.ts'

/** Slices that these runs have planned and not fetched. No other run should fetch them. */
export async function plannedBy(
  { reader }: StoreContext,
  runIds: readonly string[],
): Promise<Covered[]> {
  if (runIds.length === 0) return []
  return await reader.rows<Covered>(
    `SELECT DISTINCT ${SLICE_COLUMNS} FROM _slices
     WHERE state = 'planned' AND list_contains($runIds::JSON::VARCHAR[], run_id)`,
    { runIds: JSON.stringify(runIds) },
  )
}

const SERIES = 'dataset, entity, vs_currency, granularity'

/**
 * Intervals that the ledger covers at `nowMs`. Loaded and empty slices count whole, provisional ones up to
 * `settled_to`. Their rest counts until `recheck_at`; after that it has `isDueAgain`. Adjacent slices of a series
 * become one interval.
 */
export async function covered({ reader }: LedgerContext, nowMs: number): Promise<Covered[]> {
  const rows = await reader.rows<Covered & { isDueAgain: boolean }>(
    `WITH known AS (
       SELECT ${SERIES}, false AS is_due, from_at, CASE
         WHEN state <> 'provisional' OR $now < recheck_at THEN to_at ELSE settled_to END AS to_at
       FROM _slices WHERE state IN ('loaded', 'empty', 'provisional')
       UNION ALL
       SELECT ${SERIES}, true, settled_to, to_at FROM _slices WHERE state = 'provisional' AND $now >= recheck_at
     ), begun AS (
       SELECT *, max(to_at) OVER (PARTITION BY ${SERIES}, is_due ORDER BY from_at, to_at
         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached_at
       FROM known WHERE from_at < to_at
     ), pieces AS (
       SELECT *, count(*) FILTER (reached_at IS NULL OR reached_at < from_at) OVER (
         PARTITION BY ${SERIES}, is_due ORDER BY from_at, to_at) AS piece FROM begun
     ), merged AS (
       SELECT ${SERIES}, is_due, min(from_at) AS from_at, max(to_at) AS to_at
       FROM pieces GROUP BY ${SERIES}, is_due, piece
     ) SELECT ${SLICE_COLUMNS}, is_due AS isDueAgain FROM merged`,
    { now: instant(nowMs) },
  )
  return rows.map(({ isDueAgain, ...slice }) => (isDueAgain ? { ...slice, isDueAgain } : slice))
}

/** A search for the next call tries only the first times. */
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
