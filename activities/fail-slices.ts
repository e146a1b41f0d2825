import type { SliceFailure } from '../sinks/store.ts'
import type { LoadDeps } from './activity-deps.ts'
import { asLostRequest, unloadedPages } from './end/unloaded-pages.ts'

/**
 * Ends slices as failed. No load will bring the pages staged before the failed one, so their calls are recorded now.
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
