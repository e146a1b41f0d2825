import type { StoreDeps } from './activity-deps.ts'
import type { LoadSlicesInput, LoadSlicesResult } from './activity-types.ts'

/** One load: many staged slices with their ledger rows, or nothing. */
export async function loadSlices(
  deps: StoreDeps,
  input: LoadSlicesInput,
): Promise<LoadSlicesResult> {
  const report = await deps.store.load(
    { runId: input.runId, ordinals: input.ordinals, nowMs: deps.clock.nowMs() },
    deps.stage,
  )
  return {
    // Counts slices of an earlier attempt that was killed after its commit, too.
    slices: input.ordinals.length - report.notStaged.length,
    rows: report.rowsInserted,
    notStaged: report.notStaged,
  }
}
