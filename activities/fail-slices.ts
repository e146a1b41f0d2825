import type { SliceFailure } from '../sinks/store-records.ts'
import type { StoreDeps } from './activity-deps.ts'
import { asLostRequest, unloadedPages } from './end/unloaded-pages.ts'

/**
 * Ends slices as failed, and records the calls of their staged pages: no load will record them.
 *
 * @returns the ids of the slices by ordinal, also when an earlier attempt has ended them
 */
export async function failSlices(
  deps: Pick<StoreDeps, 'store' | 'stage'>,
  { runId, failures }: { runId: string; failures: readonly SliceFailure[] },
): Promise<Map<number, string>> {
  const codes = new Map(failures.map(({ ordinal, code }) => [ordinal, code]))
  const pages = await unloadedPages(deps, runId, [...codes.keys()])
  const lost = pages.map(({ ordinal, page }) => asLostRequest(page, codes.get(ordinal)!))
  await deps.store.recordRequests(runId, lost)
  const slices = await deps.store.query<{ ordinal: number; sliceId: string }>(
    `SELECT ordinal, slice_id AS sliceId FROM _slices
     WHERE run_id = $runId AND list_contains($ordinals::JSON::BIGINT[], ordinal)`,
    { runId, ordinals: JSON.stringify([...codes.keys()]) },
  )
  await deps.store.failSlices(runId, failures)
  return new Map(slices.map(({ ordinal, sliceId }) => [ordinal, sliceId]))
}
