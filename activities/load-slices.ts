import type { LoadDeps } from './activity-deps.ts'
import type { LoadSlicesInput, LoadSlicesResult } from './activity-types.ts'

/** One load: many staged slices in, with their ledger rows, or nothing. Then the stage lets go of them. */
export async function loadSlices(
  deps: LoadDeps,
  input: LoadSlicesInput,
): Promise<LoadSlicesResult> {
  const report = await deps.store.load(
    { runId: input.runId, ordinals: input.ordinals, nowMs: deps.clock.nowMs() },
    deps.stage,
  )
  return {
    slices: report.slices,
    rows: report.rowsInserted + report.rowsReplaced + report.rowsRevised,
    notStaged: report.notStaged,
  }
}
