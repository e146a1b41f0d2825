import { quoteText } from '../datasets/ddl.ts'
import type { LoadDeps } from './activity-deps.ts'
import type { LoadSlicesInput, LoadSlicesResult } from './activity-types.ts'

/**
 * One load: many staged slices in, with their ledger rows, or nothing. Then the stage lets go of them,
 * also of those that an earlier attempt had loaded when it was killed.
 */
export async function loadSlices(
  deps: LoadDeps,
  input: LoadSlicesInput,
): Promise<LoadSlicesResult> {
  const report = await deps.store.load(
    { runId: input.runId, ordinals: input.ordinals, nowMs: deps.clock.nowMs() },
    deps.stage,
  )
  await releaseLoaded(deps, input)
  return {
    // All that are in now: an attempt that was killed after its commit has loaded them, too.
    slices: input.ordinals.length - report.notStaged.length,
    rows: report.rowsInserted,
    notStaged: report.notStaged,
  }
}

/** Arrow files go once their rows are committed; raw bodies stay as `stage.keep` says. */
async function releaseLoaded(
  { store, stage }: LoadDeps,
  { runId, ordinals }: LoadSlicesInput,
): Promise<void> {
  const loaded = await store.query(
    `SELECT slice_id, generation FROM _slices WHERE run_id = ${quoteText(runId)}
       AND ordinal IN (${ordinals.join(', ')}) AND state NOT IN ('planned', 'failed')`,
  )
  for (const { slice_id: sliceId, generation } of loaded) {
    await stage.release(String(sliceId), Number(generation))
  }
}
