import type { Covered } from '../../plan/covered.ts'
import { instant } from './session.ts'
import { SLICE_COLUMNS, sliceOf } from './slice-rows.ts'
import type { StoreContext } from './store-context.ts'

/** See Store.plannedBy. */
export async function plannedBy(
  { reader }: StoreContext,
  runIds: readonly string[],
): Promise<Covered[]> {
  if (runIds.length === 0) return []
  const rows = await reader.rows(
    `SELECT DISTINCT ${SLICE_COLUMNS} FROM _slices
     WHERE state = 'planned' AND list_contains($runIds::JSON::VARCHAR[], run_id)`,
    { runIds: JSON.stringify(runIds) },
  )
  return rows.map(sliceOf)
}

/**
 * Intervals that need no call at `nowMs`: loaded and empty slices whole; of a provisional one what
 * is settled, and the rest as long as asking again would verify nothing more. They may overlap.
 */
export async function covered({ reader }: StoreContext, nowMs: number): Promise<Covered[]> {
  const rows = await reader.rows(
    `SELECT DISTINCT ${SLICE_COLUMNS} FROM (
       SELECT * REPLACE (CASE
         WHEN state <> 'provisional' OR $now < recheck_at THEN to_at ELSE settled_to END AS to_at)
       FROM _slices WHERE state IN ('loaded', 'empty', 'provisional')
     ) WHERE from_at < to_at`,
    { now: instant(nowMs) },
  )
  return rows.map(sliceOf)
}
