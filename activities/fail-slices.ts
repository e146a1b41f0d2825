import type { SliceFailure } from '../sinks/store.ts'
import type { LoadDeps } from './activity-deps.ts'
import { asLostRequest, unloadedPages } from './end/unloaded-pages.ts'

/**
 * Ends slices as failed. The pages that had come before the one that failed are asked for again by a
 * later run, so their calls are written down now: no load will ever bring them.
 */
export async function failSlices(
  deps: Pick<LoadDeps, 'store' | 'stage'>,
  { runId, failures }: { runId: string; failures: readonly SliceFailure[] },
): Promise<void> {
  if (failures.length === 0) return
  const codes = new Map(failures.map(({ ordinal, code }) => [ordinal, code]))
  const pages = await unloadedPages(deps, runId, [...codes.keys()])
  const lost = pages.map(({ ordinal, page }) => asLostRequest(page, codes.get(ordinal)!))
  await deps.store.recordRequests(runId, lost)
  await deps.store.failSlices(runId, failures)
}
