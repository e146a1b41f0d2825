import type { SliceFailure } from '../sinks/store-records.ts'
import type { StoreDeps } from './activity-deps.ts'
import { asLostRequest, unloadedPages } from './end/unloaded-pages.ts'

/** Ends slices as failed, and records the calls of their staged pages: no load will record them. */
export async function failSlices(
  deps: Pick<StoreDeps, 'store' | 'stage'>,
  { runId, failures }: { runId: string; failures: readonly SliceFailure[] },
): Promise<void> {
  const codes = new Map(failures.map(({ ordinal, code }) => [ordinal, code]))
  const pages = await unloadedPages(deps, runId, [...codes.keys()])
  const lost = pages.map(({ ordinal, page }) => asLostRequest(page, codes.get(ordinal)!))
  await deps.store.recordRequests(runId, lost)
  await deps.store.failSlices(runId, failures)
}
