import { instant, type Session } from '../session.ts'
import type { LoadIds } from './load-batch.ts'

/**
 * Claims the planned slices among `ordinals` for a load, inside its transaction. A second claim changes nothing. After a
 * kill another run may have planned and loaded the same slice. Then the slice takes over that outcome.
 *
 * @returns the claimed ordinals
 */
export async function claimSlices(
  session: Session,
  { runId, loadId, nowMs }: LoadIds,
  ordinals: readonly number[],
): Promise<Set<number>> {
  const params = { runId, now: instant(nowMs), ordinals: JSON.stringify(ordinals) }
  const mine = `_slices.run_id = $runId AND _slices.state = 'planned'
    AND list_contains($ordinals::JSON::BIGINT[], _slices.ordinal)`
  await session.run(
    `UPDATE _slices SET state = twin.state, settled_to = twin.settled_to,
       recheck_at = twin.recheck_at, delivered_granularity = twin.delivered_granularity,
       fetched_at = twin.fetched_at, load_id = twin.load_id,
       pages = 0, calls = 0, items = 0, row_count = 0, outside_slice = 0, duplicate = 0, future = 0,
       quarantined = 0, reason = 'loaded by run ' || twin.run_id, updated_at = $now
     FROM (SELECT DISTINCT ON (slice_id, generation) * FROM _slices AS known
           WHERE known.state IN ('loaded', 'provisional', 'empty')
             AND known.slice_id IN (SELECT slice_id FROM _slices WHERE ${mine})) AS twin
     WHERE ${mine} AND twin.slice_id = _slices.slice_id AND twin.generation = _slices.generation`,
    params,
  )
  const claimedCount = await session.run(
    `UPDATE _slices SET state = 'staged', load_id = $loadId, updated_at = $now WHERE ${mine}`,
    { ...params, loadId },
  )
  if (claimedCount === 0) return new Set()
  // UPDATE has no RETURNING in a DuckLake.
  const rows = await session.rows<{ ordinal: number }>(
    "SELECT ordinal FROM _slices WHERE run_id = $runId AND state = 'staged' AND load_id = $loadId",
    { runId, loadId },
  )
  return new Set(rows.map(({ ordinal }) => ordinal))
}
