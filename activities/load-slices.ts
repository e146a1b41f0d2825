import type { StoreDeps } from './activity-deps.ts'
import type { LoadSlicesInput, LoadSlicesResult } from './activity-types.ts'

/** One load: many staged slices with their ledger rows, or nothing. */
export async function loadSlices(
  deps: StoreDeps,
  input: LoadSlicesInput,
): Promise<LoadSlicesResult & { sliceIds: string[] }> {
  const { rowsInserted, notStaged, sliceIds } = await deps.store.load(
    { runId: input.runId, ordinals: input.ordinals, nowMs: deps.clock.nowMs() },
    deps.stage,
  )
  // Counts slices of an earlier attempt that was killed after its commit, too.
  return { slices: sliceIds.length, rows: rowsInserted, notStaged, sliceIds }
}
