import type { LoadDeps } from './activity-deps.ts'
import type { LoadSlicesInput, LoadSlicesResult } from './activity-types.ts'

/** One load: many staged slices in, with their ledger rows, or nothing. */
export async function loadSlices(
  deps: LoadDeps,
  input: LoadSlicesInput,
): Promise<LoadSlicesResult> {
  const report = await deps.store.load(
    { runId: input.runId, ordinals: input.ordinals, nowMs: deps.clock.nowMs() },
    deps.stage,
  )
  return {
    // All that are in now: an attempt that was killed after its commit has loaded them, too.
    slices: input.ordinals.length - report.notStaged.length,
    rows: report.rowsInserted,
    notStaged: report.notStaged,
  }
}
