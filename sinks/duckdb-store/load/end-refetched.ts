import { instant } from '../session.ts'
import type { StoreContext } from '../store-context.ts'

const SERIES = 'dataset, entity, vs_currency, granularity'

/**
 * Ends quarantined rows of older answers when a load brings a newer answer to their whole stretch. Rows of the rule
 * `not_in_answer` stay open, because they show since when an id is gone. Runs in the load's transaction.
 */
export async function endRefetched(
  { writer }: StoreContext,
  load: { runId: string; loadId: number; ordinals: readonly number[]; nowMs: number },
): Promise<void> {
  const { runId, loadId, ordinals, nowMs } = load
  const open = `ended_at IS NULL AND rule <> 'not_in_answer' AND load_id < $loadId`
  // Most warehouses have no such row. Then no load searches all slices.
  const [first] = await writer.rows(`SELECT 1 FROM _quarantine WHERE ${open} LIMIT 1`, { loadId })
  if (first === undefined) return
  await writer.run(
    `UPDATE _quarantine SET ended_at = $now, ended_as = 'refetched'
     WHERE ${open} AND (slice_id, load_id) IN (
       SELECT older.slice_id, older.load_id FROM _slices older
       JOIN _slices newer USING (${SERIES})
       WHERE newer.run_id = $runId AND list_contains($ordinals::JSON::BIGINT[], newer.ordinal)
         AND newer.from_at <= older.from_at AND older.to_at <= newer.to_at)`,
    { runId, loadId, ordinals: JSON.stringify(ordinals), now: instant(nowMs) },
  )
}
